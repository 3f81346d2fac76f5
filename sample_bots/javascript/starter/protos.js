// Reads the messages from the proto files at every start. No code is generated.

import { fileURLToPath } from "node:url";
import { loadSync } from "@grpc/proto-loader";

/** Every service and message by its full name. Enums are strings. An unset field has its default, or null. */
export const protos = loadSync(
  ["referee_bot/v1/bot.proto", "referee_bot/v1/agent_avenue.proto"],
  {
    includeDirs: [fileURLToPath(new URL("proto", import.meta.url))],
    enums: String,
    defaults: true,
    oneofs: true,
  },
);

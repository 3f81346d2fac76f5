// The messages, read from the proto files at every start: no code is generated.

import { fileURLToPath } from "node:url";
import { loadSync } from "@grpc/proto-loader";

/** Every service and message by its full name. Enums are strings; what is not set has its default, a message is null. */
export const protos = loadSync(
  ["referee_bot/v1/bot.proto", "referee_bot/v1/agent_avenue.proto"],
  {
    includeDirs: [fileURLToPath(new URL("proto", import.meta.url))],
    enums: String,
    defaults: true,
    oneofs: true,
  },
);

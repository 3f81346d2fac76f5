// Serves a player to the referee: the loop. The thinking is in player.js.
//
// Run as `node bot.js [--rule fnv|greedy] [ADDRESS]`; the referee says which address, such as `unix:/path/to/socket`.

import { parseArgs } from "node:util";
import {
  loadPackageDefinition,
  Server,
  ServerCredentials,
  status,
} from "@grpc/grpc-js";
import { Player } from "./player.js";
import { protos } from "./protos.js";

// As in bot.toml.
const ABOUT = {
  name: "starter-javascript",
  version: "1",
  games: ["*"],
  protocolMinor: 0,
  maxParallel: 1,
};
const STRANGER = {
  code: status.UNAUTHENTICATED,
  details: "the token is missing or wrong",
};

const { values, positionals } = parseArgs({
  options: { rule: { type: "string", default: "fnv" } },
  allowPositionals: true,
});
const address = positionals[0] ?? process.env.REFEREE_ADDRESS;
const token = process.env.REFEREE_TOKEN;
if (!["fnv", "greedy"].includes(values.rule)) {
  throw new Error(`--rule ${values.rule}: allowed are fnv and greedy`);
}
if (!address) throw new Error("give an ADDRESS, or set REFEREE_ADDRESS");

/** REFEREE_TOKEN is set where others could call, too: only the referee has the token. */
function isStranger(call) {
  const [given] = call.metadata.get("authorization");
  return token && given !== `Bearer ${token}`;
}

function describe(call, answer) {
  if (isStranger(call)) answer(STRANGER);
  else answer(null, ABOUT);
}

/** Plays match after match, a new player for each, until the referee closes the stream. */
function play(stream) {
  if (isStranger(stream)) {
    stream.emit("error", STRANGER);
    return;
  }
  let player;
  stream.on("data", ({ matchStart, decision }) => {
    if (matchStart) {
      player = new Player(matchStart, values.rule);
      stream.write({ ready: {} });
    } else if (decision) {
      const index = player.choose(decision);
      stream.write({ choice: { decision: decision.number, index } });
    }
  });
  stream.on("end", () => stream.end());
}

process.on("SIGTERM", () => process.exit(0));
const { Bot } = loadPackageDefinition(protos).referee_bot.v1;
const server = new Server();
server.addService(Bot.service, { describe, play });
server.bindAsync(address, ServerCredentials.createInsecure(), (error) => {
  if (error) throw error;
});

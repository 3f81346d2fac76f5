// The loop: serves a player to the referee. The thinking is in player.js.
//
// Start it with `node bot.js [--rule fnv|greedy] [ADDRESS]`. The referee gives the address, such as
// `unix:/path/to/socket`.

import { parseArgs } from "node:util";
import {
  loadPackageDefinition,
  Server,
  ServerCredentials,
  status,
} from "@grpc/grpc-js";
import { Player } from "./player.js";
import { protos } from "./protos.js";

// The same as in bot.toml.
const ABOUT = {
  name: "starter-javascript",
  version: "1",
  games: ["*"],
  protocolMinor: 2,
  maxParallel: 1,
  maxBatch: 1024,
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
if (token === "") throw new Error("REFEREE_TOKEN is empty");

/** Whether the caller lacks the token. REFEREE_TOKEN is set wherever strangers could call, too. */
function isStranger(call) {
  const [given] = call.metadata.get("authorization");
  return token && given !== `Bearer ${token}`;
}

function describe(call, answer) {
  if (isStranger(call)) answer(STRANGER);
  else answer(null, ABOUT);
}

/** Plays match after match, each with a new player, until the referee closes the stream. */
function play(stream) {
  if (isStranger(stream)) {
    stream.emit("error", STRANGER);
    return;
  }
  let player;
  const players = new Map();
  stream.on("data", ({ matchStart, decision, batch }) => {
    if (matchStart) {
      player = new Player(matchStart, values.rule);
      stream.write({ ready: {} });
    } else if (decision) {
      const index = player.choose(decision);
      stream.write({ choice: { decision: decision.number, index } });
    } else if (batch) {
      const answers = answersTo(batch, players);
      if (answers.match.length || answers.ready.length)
        stream.write({ answers });
    }
  });
  stream.on("end", () => stream.end());
}

/** The answers to a batch. The players are kept by the numbers of their matches, as long as these last. */
function answersTo({ parts }, players) {
  const answers = { match: [], decision: [], index: [], ready: [] };
  for (const { match, matchStart, decision } of parts) {
    if (matchStart) {
      players.set(match, new Player(matchStart, values.rule));
      answers.ready.push(match);
    } else if (decision) {
      answers.match.push(match);
      answers.decision.push(decision.number);
      answers.index.push(players.get(match).choose(decision));
    } else {
      players.delete(match);
    }
  }
  return answers;
}

process.on("SIGTERM", () => process.exit(0));
const { Bot } = loadPackageDefinition(protos).referee_bot.v1;
const server = new Server();
server.addService(Bot.service, { describe, play });
server.bindAsync(address, ServerCredentials.createInsecure(), (error) => {
  if (error) throw error;
});

// What the bot plays.

import * as greedy from "./greedy.js";
import * as jsonGame from "./json_game.js";

/** One match. Keep nothing anywhere else: a choice may depend only on the messages of this match. */
export class Player {
  constructor(start, rule) {
    this.seed = start.seed;
    this.greedy = rule === "greedy" && start.game === "agent-avenue";
    // The options of a game without a proto are JSON.
    this.json = rule === "greedy" && start.options.toString().startsWith("{");
  }

  /** The index of the chosen action in `decision.legal`. */
  choose(decision) {
    // Your thinking goes here. For now the seed and the decision's number choose, whatever the view shows.
    if (this.greedy) return greedy.choose(decision);
    if (this.json) return jsonGame.choose(decision);
    const number = Buffer.alloc(4);
    number.writeUInt32LE(decision.number);
    return fnv1a([...this.seed, ...number]) % decision.legal.length;
  }
}

/** The 32-bit FNV-1a hash. For the seed of bytes 0 to 15 and the decision number 1 it is 822214484. */
function fnv1a(bytes) {
  let hash = 2166136261;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 16777619);
  return hash >>> 0; // Math.imul gives a signed number
}

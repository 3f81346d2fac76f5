// What the bot plays.

import * as greedy from "./greedy.js";

/** One match. Keep nothing anywhere else: choices may depend on the messages of this match alone. */
export class Player {
  constructor(start, rule) {
    this.seed = start.seed;
    this.greedy = rule === "greedy" && start.game === "agent-avenue";
  }

  /** The index of the chosen action in `decision.legal`. */
  choose(decision) {
    // Your thinking goes here. What stands here now looks at nothing: the seed and the decision's number choose.
    if (this.greedy) return greedy.choose(decision);
    const number = Buffer.alloc(4);
    number.writeUInt32LE(decision.number);
    return fnv1a([...this.seed, ...number]) % decision.legal.length;
  }
}

/** FNV-1a with 32 bits. Of the bytes 0 to 15, followed by the decision's number 1: 822214484. */
function fnv1a(bytes) {
  let hash = 2166136261;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 16777619);
  return hash >>> 0; // Math.imul gives a signed number
}

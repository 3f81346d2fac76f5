// Plays Agent Avenue for the best gain of one turn. It is an example of how to read a view and its actions.
//
// It chooses the action that is worth most, and the first of equals. It counts spaces of lead: how far our pawn goes
// minus how far theirs goes. An unknown card goes as far as the 38 cards of the deck do on average. Such worths are
// counted 38 times, so that all numbers are whole.
//
// - To play two cards: the other side will leave us the smaller gain. The first card of a team lies beside a card that
//   is not known yet. We never discard, and never leave the first card to the partner.
// - To recruit: we get one of the two cards, and they get the other.
// - To take a market card: by its place in an order. If either teammate may take it, we take it.
// - To choose an agent for an instant: how far it moves us. For Mind Control, how far its next copy would move them.
// - To recruit an agent again: yes, unless it moves us back.

import { protos } from "./protos.js";

const View = protos["referee_bot.v1.agent_avenue.View"];
const Action = protos["referee_bot.v1.agent_avenue.Action"];

// How many copies the deck has, and how far the first, the second and every later one moves. The third Codebreaker and
// the third Daredevil end the game. This rule does not see that.
const AGENTS = {
  AGENT_DOUBLE_AGENT: { copies: 6, way: [-1, 6, -1] },
  AGENT_ENFORCER: { copies: 6, way: [1, 2, 3] },
  AGENT_CODEBREAKER: { copies: 6, way: [0, 0, 0] },
  AGENT_SABOTEUR: { copies: 6, way: [-1, -1, -2] },
  AGENT_DAREDEVIL: { copies: 6, way: [2, 3, 0] },
  AGENT_SENTINEL: { copies: 6, way: [0, 2, 6] },
  AGENT_SIDEKICK: { copies: 1, way: [4, 4, 4] },
  AGENT_MOLE: { copies: 1, way: [-3, -3, -3] },
};
const DECK_COUNT = 38;

// The same for a side with this market card.
const CHANGED_WAYS = {
  AGENT_DOUBLE_AGENT: { card: "MARKET_CARD_SINISTER_TWIN", way: [-2, 12, -2] },
  AGENT_ENFORCER: { card: "MARKET_CARD_WATCHTOWER_TWO", way: [3, 4, 5] },
  AGENT_CODEBREAKER: { card: "MARKET_CARD_SUPERCOMPUTER", way: [3, 3, 3] },
  AGENT_SABOTEUR: { card: "MARKET_CARD_DISTRACTION_DEVICE", way: [1, 1, 2] },
};

const WORST_TO_BEST = [
  "MARKET_CARD_SINISTER_TWIN",
  "MARKET_CARD_MASTERPLAN",
  "MARKET_CARD_CEASEFIRE",
  "MARKET_CARD_WATCHTOWER_TWO",
  "MARKET_CARD_DOUBLE_TROUBLE",
  "MARKET_CARD_MIND_CONTROL",
  "MARKET_CARD_OUTPOST",
  "MARKET_CARD_SMOKE_SCREEN",
  "MARKET_CARD_SURVEILLANCE_TRUCK",
  "MARKET_CARD_SUPERCOMPUTER",
  "MARKET_CARD_SECRET_RECRUIT",
  "MARKET_CARD_DISTRACTION_DEVICE",
  "MARKET_CARD_GETAWAY_CAR",
  "MARKET_CARD_SECURITY_SYSTEM",
  "MARKET_CARD_SPYCATION",
  "MARKET_CARD_LEADER_OF_THE_PACK",
];

/** The index of the action that is worth most, the lowest of equals. */
export function choose(decision) {
  const turn = new Turn(View.deserialize(decision.view));
  const worths = decision.legal.map((bytes) =>
    turn.worth(Action.deserialize(bytes)),
  );
  return worths.indexOf(Math.max(...worths));
}

/** One position, and what the actions in it are worth. */
class Turn {
  constructor(view) {
    this.view = view;
    this.ourSide = view.sides[view.seat % 2];
    this.ours = steps(this.ourSide);
    this.theirs = steps(view.sides[1 - (view.seat % 2)]);
  }

  /** The worth of one action. Compare it only with worths of the same decision. */
  worth({ play, lay, recruit, take, choose, recruitAgain }) {
    if (play) return this.ofTwo(play.faceUp, play.faceDown);
    if (lay) return this.laid(lay);
    if (recruit) return this.recruited(recruit);
    if (take) return this.taken(take);
    if (choose) return this.chosen(choose.agent);
    if (recruitAgain)
      return recruitAgain.again ? this.ours[this.view.market.returned] : 0;
    return -1000; // never discard, never hand over
  }

  /** Spaces of lead, if the other side takes the card that leaves us the smaller gain. */
  ofTwo(up, down) {
    const { ours, theirs } = this;
    return Math.min(ours[up] - theirs[down], ours[down] - theirs[up]);
  }

  /** The second card of a team lies beside a known card. The first lies beside an unknown one. */
  laid({ slot, agent }) {
    if (slot === "SLOT_FACE_DOWN") return this.ofTwo(this.view.faceUp, agent);
    return Math.min(this.ifOurs(agent), this.ifTheirs(agent));
  }

  recruited({ slot }) {
    const { faceUp } = this.view;
    return slot === "SLOT_FACE_UP"
      ? this.ifOurs(faceUp)
      : this.ifTheirs(faceUp);
  }

  /** Spaces of lead, times 38, if we get this agent and they get an unknown one. */
  ifOurs(agent) {
    return DECK_COUNT * this.ours[agent] - ofAllCards(this.theirs);
  }

  /** Spaces of lead, times 38, if they get this agent and we get an unknown one. */
  ifTheirs(agent) {
    return ofAllCards(this.ours) - DECK_COUNT * this.theirs[agent];
  }

  /** A card of the market: its place in the order. An ongoing card has no taker. */
  taken({ card, taker }) {
    const toUs = taker === this.view.seat;
    return 2 * WORST_TO_BEST.indexOf(card) + (toUs ? 1 : 0);
  }

  /** Spaces, if an instant acts on this agent. */
  chosen(agent) {
    switch (this.view.market.resolving) {
      case "MARKET_CARD_MIND_CONTROL":
        return this.theirs[agent];
      case "MARKET_CARD_SPYCATION": // then one fewer lies before us
        return step(this.ourSide, agent, count(this.ourSide, agent) - 1);
      default:
        return this.ours[agent];
    }
  }
}

/** How far all 38 cards of the deck move a side, each as if it came next. */
function ofAllCards(steps) {
  return Object.entries(AGENTS).reduce(
    (sum, [agent, { copies }]) => sum + copies * steps[agent],
    0,
  );
}

/** By agent, how far the next one of that name moves a side. */
function steps(side) {
  const agents = Object.keys(AGENTS);
  return Object.fromEntries(
    agents.map((agent) => [agent, step(side, agent, count(side, agent))]),
  );
}

/** How many agents of this name lie before a side. */
function count(side, agent) {
  return side.recruited.filter((each) => each === agent).length;
}

/** How far an agent moves a side that has `before` agents of that name. */
function step(side, agent, before) {
  const changed = CHANGED_WAYS[agent];
  const isChanged = changed && side.ongoing.includes(changed.card);
  const { way } = isChanged ? changed : AGENTS[agent];
  const spaces = way[Math.min(before, 2)];
  // Homes are 7 spaces apart.
  const endsOnAHome = spaces !== 0 && (side.progress + spaces) % 7 === 0;
  const hasCar = side.ongoing.includes("MARKET_CARD_GETAWAY_CAR");
  return endsOnAHome && hasCar ? spaces + 3 : spaces;
}

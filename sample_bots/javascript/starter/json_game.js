// Plays the game that `referee new-game` writes. It is an example of a game without a proto: its messages are JSON.
//
// It stays with a card of the upper half, and is out with another. `referee games NAME --schema` says which fields the
// messages of a game have.

/** The index of the action that fits our card; 0 if the game knows neither cards nor such actions. */
export function choose(decision) {
  const { card, cards } = JSON.parse(decision.view.toString());
  const wanted = 2 * card > cards ? "Stay" : "Out";
  const types = decision.legal.map((action) => JSON.parse(action.toString()));
  return Math.max(
    0,
    types.findIndex((action) => action?.type === wanted),
  );
}

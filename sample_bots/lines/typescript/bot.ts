// Each line of the referee is a JSON object.

declare const process: any;
declare function require(name: string): any;

interface Decide {
  type: "decide";
  number: number;
  view: any; // the schema of the game says what it has
  legal: any[];
}

let seed = 0;

// The index of an action in message.legal. Your thinking goes here.
function choose(message: Decide): number {
  const x = (seed % 9973) + 7 * message.number;
  return ((x * x) % 9973) % message.legal.length;
}

require("readline").createInterface({ input: process.stdin }).on("line", (line: string) => {
  const message = JSON.parse(line);
  if (message.type === "start") {
    seed = message.seed;
    process.stdout.write("ready\n");
  } else if (message.type === "decide") {
    process.stdout.write(`${choose(message)}\n`);
  }
});

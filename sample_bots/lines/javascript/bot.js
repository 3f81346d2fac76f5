// Each line of the referee is a JSON object.

let seed = 0;

// The index of an action in message.legal. Your thinking goes here.
function choose(message) {
  const x = (seed % 9973) + 7 * message.number;
  return ((x * x) % 9973) % message.legal.length;
}

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "start") {
    seed = message.seed;
    process.stdout.write("ready\n");
  } else if (message.type === "decide") {
    process.stdout.write(`${choose(message)}\n`);
  }
});

// Lets a program that reads and writes lines play in a league elsewhere. It needs Node 22 or newer, and no package:
//   node attend.js mybot@1 TOKEN_FILE COMMAND...      If it loses its connection in a match, the match is lost.
const LEAGUE = ""; // the page of a league offers this file with its address here
const [bot, tokenFile, command, ...words] = process.argv.slice(2);
const authorization = `Bearer ${require("fs").readFileSync(tokenFile, "utf8").trim()}`;

function attend() {
  const socket = new WebSocket(`${LEAGUE}/api/seats/${bot}`.replace(/^http/, "ws"), { headers: { authorization } });
  const program = require("child_process").spawn(command, words, { stdio: ["pipe", "pipe", "inherit"] });
  program.stdin.on("error", () => {}); // it has ended
  program.on("exit", () => socket.close());
  require("readline").createInterface({ input: program.stdout }).on("line", (line) => socket.send(line));
  socket.onopen = () => console.error(`${bot} is here`);
  socket.onmessage = (message) => program.stdin.write(message.data + "\n");
  socket.onclose = ({ code, reason }) => {
    program.kill();
    console.error(`the connection has ended: ${reason || code}`);
    if (![4401, 4409, 4410].includes(code)) setTimeout(attend, 10000);
  };
}
attend();

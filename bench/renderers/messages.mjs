// JSON messages over a socket, one a line: how the benchmark talks to the process in the pty without using the pty.

export function sendMessage(socket, message) {
  socket.write(`${JSON.stringify(message)}\n`);
}

export function readMessages(socket, take) {
  let rest = "";
  socket.setEncoding("utf8");
  socket.on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    for (const line of lines) take(JSON.parse(line));
  });
}

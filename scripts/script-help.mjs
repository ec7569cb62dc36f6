// Help for the scripts, in their own words: what a script is for and how it is called stands in its first lines. `--help`
// prints them, and so does a mistake in the options.
import { readFileSync } from "node:fs";

if (process.argv.includes("--help")) {
  console.log(firstLines());
  process.exit(0);
}

process.on("uncaughtExceptionMonitor", ({ code, message }) => {
  if (typeof code !== "string" || !code.startsWith("ERR_PARSE_ARGS")) return;
  console.error(`${message.split(". ")[0]}\n\n${firstLines()}`);
  process.exit(2);
});

function firstLines() {
  const lines = readFileSync(process.argv[1], "utf8").split("\n");
  const end = lines.findIndex((line) => !line.startsWith("//"));
  return lines
    .slice(0, end)
    .map((line) => line.slice("// ".length))
    .join("\n");
}

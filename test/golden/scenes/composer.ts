// Where the user writes, and what can be asked for from there: completion, history, pastes, a shell command, the queue.
import { ENTER, WALL_MS } from "../../views/talk-stage.js";
import { asked, lines, notice, said, saying, sessionId } from "../heard.js";
import type { Scene } from "../scene.js";

const paste = (text: string) => `\x1b[200~${text}\x1b[201~`;

/** The keys for so many lines, and an empty one below them. */
function written(count: number): string[] {
  return lines(count, (at) => `line ${at}`)
    .split("\n")
    .flatMap((line) => [line, "\x1b[13;2u"]);
}

export const composerScenes: readonly Scene[] = [
  {
    name: "composer-lines",
    play: (stage) =>
      stage
        .ready()
        .type(
          "fix the failing test",
          "\x1b[13;2u",
          "and then tell me why it failed, in words that my manager would understand without asking",
        ),
  },
  {
    name: "composer-many-lines",
    roles: "kept",
    play: (stage) => stage.ready().type(...written(30)),
  },
  {
    name: "composer-in-the-middle",
    play(stage) {
      stage.ready().hear({ type: "editor-text.changed", sessionId, text: lines(1_200, (at) => `line ${at}`) });
      stage.wait(1_000);
      stage.type(...new Array<string>(1_180).fill("\x1b[B"));
    },
  },
  {
    name: "composer-at-the-top",
    play(stage) {
      stage.ready().hear({ type: "editor-text.changed", sessionId, text: lines(12, (at) => `line ${at}`) });
      stage.wait(1_000);
    },
  },
  {
    name: "composer-many-lines-streaming",
    play(stage) {
      asked(stage);
      stage.hear(saying("The separator lost its space; I am adding it back and running the tests again."));
      stage.type(...written(12), "\x1b[A");
      stage.wait(2_000);
    },
  },
  {
    name: "composer-paste",
    play: (stage) => stage.ready().type("explain ", paste(lines(42, (at) => `at frame ${at}`)), " please"),
  },
  {
    name: "queue",
    play(stage) {
      asked(stage);
      stage.type("and then update the changelog", ENTER, "and the docs", ENTER);
    },
  },
  {
    name: "queue-listed",
    play(stage) {
      asked(stage);
      stage.type("and then update the changelog", ENTER, "and the docs", ENTER, "/queue", ENTER);
    },
  },
  {
    name: "completion-slash",
    roles: "kept",
    async play(stage) {
      stage.ready().type("/s");
      await stage.until("switch");
    },
  },
  {
    name: "completion-file",
    async play(stage) {
      stage.ready().type("explain @pars");
      await stage.until("docs/parser.md");
    },
  },
  { name: "unknown-command", play: (stage) => stage.ready().type("/abotr", ENTER) },
  { name: "unknown-command-far", play: (stage) => stage.ready().type("/xyzzy", ENTER) },
  { name: "history-search", play: (stage) => stage.ready().type("\x12") },
  { name: "history-search-filtered", play: (stage) => stage.ready().type("\x12", "chang") },
  {
    name: "shell-command",
    async play(stage) {
      stage.ready().type("!printf 'one\\ntwo\\n'", ENTER);
      await stage.untilSaid("● !");
    },
  },
  {
    name: "shell-command-failed",
    async play(stage) {
      stage.ready().type("!echo it is broken; exit 3", ENTER);
      await stage.untilSaid("✕ !");
    },
  },
  { name: "help", play: (stage) => stage.ready().type("/help", ENTER) },
  { name: "keys", play: (stage) => stage.ready().type("/keys", ENTER) },
  { name: "settings", play: (stage) => stage.ready().type("/settings", ENTER) },
  { name: "theme", play: (stage) => stage.ready().type("/theme", ENTER) },
  { name: "theme-chosen", play: (stage) => stage.ready().type("/theme", ENTER, "\x1b[A", ENTER) },
  {
    name: "models",
    play(stage) {
      stage.ready().type("/model", ENTER);
      const models = [
        { id: "sonnet-5", name: "Sonnet 5" },
        { id: "opus-5", name: "Opus 5" },
      ];
      const providers = [
        { id: "anthropic", models },
        { id: "local", needs: "a running server", models: [{ id: "llama", name: "Llama" }] },
      ];
      stage.hear({ type: "command.answered", sessionId: null, command: "models_list", answer: { providers } });
    },
  },
  {
    name: "resume",
    play(stage) {
      stage.ready().type("/resume", ENTER);
      const sessions = [
        { id: "s1", path: "s1.jsonl", title: "mend the parser", cwd: "~/parser", timestamp: WALL_MS - 240_000 },
        { id: "s2", path: "s2.jsonl", cwd: "~/docs", timestamp: WALL_MS - 86_400_000 },
      ];
      stage.hear({ type: "command.answered", sessionId: null, command: "sessions_list", answer: { sessions } });
    },
  },
  {
    name: "stats",
    play(stage) {
      stage.ready().type("/stats", ENTER);
      const stats = { turns: 12, total_tokens: 1_204_512, cost: 0.0831, by_model: { sonnet: 11, opus: 1 } };
      stage.hear({ type: "command.answered", sessionId: null, command: "stats", answer: { stats } });
    },
  },
  {
    name: "notifications",
    play(stage) {
      stage.ready().hear(notice("info", "indexed 1,204 files"));
      stage.later(72_000);
      stage.hear(notice("warn", "context is 92 % full; /compact makes room"));
      stage.later(3_000);
      stage.type("/notifications", ENTER);
    },
  },
  { name: "notifications-none", play: (stage) => stage.ready().type("/notifications", ENTER) },
  {
    name: "copied",
    play(stage) {
      stage.ready().hear(said("**bold** words"));
      stage.type("/copy", ENTER);
    },
  },
];

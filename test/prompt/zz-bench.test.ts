import { test } from "vitest";
import { AnswerText } from "/work/main/src/prompt/answer-text.js";
test("bench", () => {
  const a = new AnswerText(); const t0 = performance.now(); let n = 0;
  a.take({ type: "message.started", sessionId: null, message: { role: "assistant", content: "" } } as never);
  for (let i = 0; i < 100000; i++) n += a.take({ type: "message.grew", sessionId: null, index: 0, kind: "text", delta: "hello wor\n" } as never).length;
  console.log("100k deltas", n, (performance.now() - t0).toFixed(0), "ms");
});

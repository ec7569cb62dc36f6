// What is told of an agent that crashed is the line with its error.
import { expect, test } from "vitest";
import { causeIn, causeLines } from "../../src/agents/exit-cause.js";

const missingPackage = `node:internal/modules/package_json_reader:268
  throw new ERR_MODULE_NOT_FOUND(packageName, fileURLToPath(base), null);
        ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'palaver' imported from /w/hello-agent.mjs
    at Object.getPackageJSONURL (node:internal/modules/package_json_reader:268:9)
    at packageResolve (node:internal/modules/esm/resolve:768:81) {
  code: 'ERR_MODULE_NOT_FOUND'
}

Node.js v20.20.2
`;

test.each([
  ["a missing package", missingPackage, /^Error \[ERR_MODULE_NOT_FOUND\]: Cannot find package 'palaver'/],
  [
    "a rejection",
    "file:///a.mjs:1\nthrow x\n^\n\nError: boom\n    at process.processTicksAndRejections (x)\n\nNode.js v22.1.0\n",
    /^Error: boom$/,
  ],
  [
    "Python",
    "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    import x\nModuleNotFoundError: No module named 'x'\n",
    /^ModuleNotFoundError/,
  ],
  ["Go", "panic: no key\n\ngoroutine 1 [running]:\nmain.main()\n\t/a.go:3 +0x1\nexit status 2\n", /^panic: no key$/],
  ["plain words with an error in them", "starting\ncannot open the socket\nbye\n", /^cannot open the socket$/],
  ["plain words", "starting\nno key\n", /^no key$/],
  ["nothing", "\n", /^$/],
])("%s", (_name, stderr, cause) => {
  expect(causeIn(stderr)).toMatch(cause);
});

test("what was said after it is kept, and the stack is not", () => {
  expect(causeLines("Error: no key\n    at main (a.js:1)\nset AGENT_KEY\n")).toEqual([
    "Error: no key",
    "set AGENT_KEY",
  ]);
});

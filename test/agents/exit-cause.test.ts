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
    /^Error: boom \(a\.mjs:1\)$/,
  ],
  [
    "Python",
    "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    import x\nModuleNotFoundError: No module named 'x'\n",
    /^ModuleNotFoundError: No module named 'x' \(a\.py:1\)$/,
  ],
  [
    "Go",
    "panic: no key\n\ngoroutine 1 [running]:\nmain.main()\n\t/a.go:3 +0x1\nexit status 2\n",
    /^panic: no key \(a\.go:3\)$/,
  ],
  [
    "Python in a library",
    'Traceback (most recent call last):\n  File "/w/my agent.py", line 7, in turn\n    client.ask()\n  File "/usr/lib/python3.11/site-packages/llm.py", line 90, in ask\n    raise\nllm.NoKeyError: no key\n',
    /^llm\.NoKeyError: no key \(my agent\.py:7\)$/,
  ],
  [
    "a mistake of syntax in Python",
    '  File "/w/a.py", line 3\n    def (\n        ^\nSyntaxError: invalid syntax\n',
    /^SyntaxError: invalid syntax \(a\.py:3\)$/,
  ],
  [
    "Node in a library",
    "/w/node_modules/llm/index.js:9\n  throw\n\nTypeError: no key\n    at ask (/w/node_modules/llm/index.js:9:3)\n    at node:internal/x:1:1\n    at onPrompt (file:///w/a.mjs:12:5)\n    at main (file:///w/b.mjs:1:5)\n",
    /^TypeError: no key \(a\.mjs:12\)$/,
  ],
  [
    "an error that Node handled before",
    "Error: no cache\n    at load (/w/agent.mjs:10:5)\nstarting\nfile:///w/agent.mjs:99\n  throw new Error()\n\nTypeError: boom\n    at main (file:///w/agent.mjs:99:9)\n",
    /^TypeError: boom \(agent\.mjs:99\)$/,
  ],
  [
    "an error handled before, and one without a stack in the agent's code",
    "Error: no cache\n    at load (/w/agent.mjs:10:5)\nTypeError: boom\n    at node:internal/x:1:1\n",
    /^TypeError: boom$/,
  ],
  [
    "a mistake of syntax in Node",
    "Error: no cache\n    at load (/w/agent.mjs:10:5)\n/w/other.mjs:7\n  const = 1\n\nSyntaxError: Unexpected token '='\n    at wrapSafe (node:internal/modules/cjs/loader:1:1)\n",
    /^SyntaxError: Unexpected token '=' \(other\.mjs:7\)$/,
  ],
  [
    "an error that Python handled before",
    'Traceback (most recent call last):\n  File "/w/a.py", line 3, in load\nOSError: no cache\nTraceback (most recent call last):\n  File "/w/a.py", line 80, in <module>\n  File "/w/a.py", line 99, in main\nValueError: boom\n',
    /^ValueError: boom \(a\.py:99\)$/,
  ],
  [
    "a stack that Python prints after the error",
    'Traceback (most recent call last):\n  File "/w/a.py", line 99, in main\nValueError: boom\nThread 1:\n  File "/w/a.py", line 5 in wait\n',
    /^ValueError: boom \(a\.py:99\)$/,
  ],
  [
    "a panic that Go recovered from before",
    "panic: no cache\n\ngoroutine 1 [running]:\nmain.load()\n\t/w/a.go:3 +0x1\npanic: no key\n\ngoroutine 1 [running]:\nmain.main()\n\t/w/a.go:99 +0x1\nexit status 2\n",
    /^panic: no key \(a\.go:99\)$/,
  ],
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

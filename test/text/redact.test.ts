// Secrets are taken out of texts and values, whole or in pieces; what only looks random stays.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor, REDACTED, secretsIn } from "../../src/text/redact.js";

const letters = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789".repeat(4);
const key = (beginning: string, units: number) => beginning + letters.slice(0, units);
const { text: redact, value: redactValue } = createRedactor();

// Put together here, so that no scanner of repositories takes this file for a leak.
const shapes: readonly [name: string, secret: string][] = [
  ["Anthropic", key("sk-ant-api03-", 90)],
  ["OpenAI", key("sk-proj-", 48)],
  ["OpenRouter", key("sk-or-v1-", 64)],
  ["Google", key("AIza", 35)],
  ["Hugging Surface", key("hf_", 34)],
  ["Groq", key("gsk_", 52)],
  ["AWS", `AKIA${"ABCDEFGH234567AB"}`],
  ["GitHub", key("ghp_", 36)],
  ["GitHub, fine-grained", key("github_pat_", 82)],
  ["GitLab", key("glpat-", 20)],
  ["Slack", key("xoxb-", 40)],
  ["Stripe", key("sk_live_", 24)],
  ["npm", key("npm_", 36)],
  ["SendGrid", `${key("SG.", 22)}.${letters.slice(0, 43)}`],
  ["JSON web token", `${key("eyJ", 20)}.${key("eyJ", 40)}.${letters.slice(0, 43)}`],
];

describe("known shapes", () => {
  test.each(shapes)("a key of %s is taken out wherever it stands", (_, secret) => {
    for (const around of [secret, `use ${secret}, please`, `"${secret}"`, `X=${secret}\n`, `(${secret})`]) {
      const clean = redact(around);
      expect(clean).not.toContain(secret.slice(-12));
      expect(clean).toContain(REDACTED);
    }
  });

  test.each([
    ["password in an address", "postgres://ada:hunter2@db/app", "postgres://ada:••••••@db/app"],
    ["assignment in a shell", "export DB_PASSWORD=hunter2 && run", "export DB_PASSWORD=•••••• && run"],
    ["option", "mysql --password=hunter2 app", "mysql --password=•••••• app"],
    ["query", "GET /v1?api_key=abcd1234&page=2", "GET /v1?api_key=••••••&page=2"],
    ["JSON", '{"client_secret": "hunter2!"}', '{"client_secret": "••••••"}'],
    ["JSON in JSON", String.raw`{"a":"{\"password\":\"hunter2\"}"}`, String.raw`{"a":"{\"password\":\"••••••\"}"}`],
    ["code", 'const apiKey = "abc123def";', 'const apiKey = "••••••";'],
    ["YAML", "password: hunter2x1", "password: ••••••"],
    ["header", "Authorization: Bearer abc.def-123", "Authorization: Bearer ••••••"],
    ["basic header", 'curl -H "authorization: Basic YWRhOmh1bnRlcjI="', 'curl -H "authorization: Basic ••••••"'],
    ["cookie", "Set-Cookie: session=abc123; Path=/", "Set-Cookie: ••••••"],
    ["prose", "the token is 9f86d081884c7d659a2feaa0c55ad015", "the token is ••••••"],
  ])("%s", (_, before, after) => {
    expect(redact(before)).toBe(after);
  });

  test("a private key goes with everything between its ends, also when its end is missing", () => {
    const body = `${letters}\n${letters}`;
    const block = `-----BEGIN OPENSSH PRIVATE KEY-----\n${body}\n-----END OPENSSH PRIVATE KEY-----`;
    expect(redact(`a\n${block}\nb`)).toBe("a\n••••••\nb");
    expect(redact(`a\n${block.slice(0, 90)}`)).toBe("a\n••••••");
    expect(redact(JSON.stringify({ key: block }))).toBe('{"key":"••••••"}');
  });
});

describe("what is no secret stays", () => {
  test.each([
    "commit 3b18e512dba79e4c8300dd08aeb37f8e728b8dad",
    "id 3f2504e0-4f89-11d3-9a0c-0305e82c3301",
    "sha512-Kxd0YZm1Ql3XWnvrbzhXHfmvQZv1Oa0cXh0oKzXc8w0xwz3v8ZbT7Jw1bB0mYQ==",
    `data:image/png;base64,iVBORw0KGgo${letters}`,
    "function readToken(token: string): Token { return token.trim(); }",
    "const password = await askPassword();",
    "password: string; secret: boolean; token = null",
    `API_KEY=$API_KEY TOKEN=\${TOKEN} SECRET=<your secret>`,
    "12.4 k tokens, max_tokens: 4096, tokenizer: cl100k_base",
    "the key is under the mat, the secret of good bread is time",
    "the primary key 018f3c2e9b7d4a5f8c1e2d3b4a596877 of the row",
    "https://example.org:8080/a@b",
    "sk-circle-fade-dot and task-runner-for-everything-2024",
    ".sk-cube-grid .sk-cube { animation: sk-cubeGridScaleDelay 1.3s }",
  ])("%s", (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe("declared secrets", () => {
  const secret = fc
    .string({ minLength: 4, maxLength: 40, unit: "grapheme" })
    .filter((text) => text.trim().length >= 4 && !text.includes("•"));

  test("are in no text, value or piece that is handed out, in whatever form they travel", () => {
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (declared, before, after) => {
        const redactor = createRedactor([declared]);
        const base64 = Buffer.from(declared).toString("base64").replace(/=+$/, "");
        for (const form of [declared, JSON.stringify(declared).slice(1, -1), encodeURIComponent(declared), base64]) {
          expect(redactor.text(before + form + after)).not.toContain(form);
        }
        const written = JSON.stringify(redactor.value({ a: [before + declared, { [declared]: declared }] }));
        expect(written).not.toContain(JSON.stringify(declared).slice(1, -1));
      }),
    );
  });

  test("are not put together again by somebody who joins the pieces", () => {
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), fc.array(fc.nat(6)), (declared, before, after, cuts) => {
        const stream = createRedactor([declared]).stream();
        const whole = `${before} ${declared} ${after}`;
        let at = 0;
        let handed = "";
        for (const units of cuts) {
          handed += stream.push(whole.slice(at, at + units));
          at += units;
          expect(handed).not.toContain(declared);
        }
        handed += stream.push(whole.slice(at)) + stream.end();
        expect(handed).not.toContain(declared);
      }),
    );
  });

  test("a number that is one, and a name that is one, go too", () => {
    const redactor = createRedactor(["482913", "hunter2"]);
    expect(redactor.value({ pin: 482913, hunter2: 1, n: 17 })).toEqual({ pin: "••••••", "••••••": 1, n: 17 });
  });

  test("a password that is a word of the protocol does not break the protocol", () => {
    const redactor = createRedactor(["user", "message.finished"]);
    const event = { type: "message.finished", message: { role: "user", content: "I am user one" } };
    expect(redactor.value(event)).toEqual({
      type: "message.finished",
      message: { role: "user", content: "I am •••••• one" },
    });
  });

  test("too short ones are no secrets, and every text would suffer", () => {
    expect(createRedactor(["abc", "  a  "]).text("abcdef a b")).toBe("abcdef a b");
  });
});

describe("values", () => {
  test("a field whose name says secret is one, whatever its value looks like", () => {
    expect(redactValue({ password: "x y", dbPassword: "z", tokens: "many", secret: true, api_key: "" })).toEqual({
      password: "••••••",
      dbPassword: "••••••",
      tokens: "many",
      secret: true,
      api_key: "",
    });
  });

  test("bottomless values are cut, not followed", () => {
    let deep: unknown = "hunter2";
    for (let level = 0; level < 5_000; level += 1) deep = [deep];
    expect(JSON.stringify(redactValue(deep))).toContain(REDACTED);
  });

  test("a name such as __proto__ is only a name", () => {
    const value = redactValue(JSON.parse('{"__proto__": {"polluted": "yes"}}'));
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":"yes"}}');
  });
});

describe("texts that grow", () => {
  const secret = key("ghp_", 36);

  test("an unfinished text has the last word of a sentence, unless a declared secret begins with it", () => {
    const redactor = createRedactor();
    expect(redactor.unfinished("Let me ask you.")).toBe("Let me ask you.");
    expect(redactor.unfinished("Let me ask you")).toBe("Let me ask ");
    expect(redactor.unfinished("eyJhbGciOiJIUzI1NiJ9.")).toBe("");
    expect(createRedactor(["you.and.me"]).unfinished("Let me ask you.")).toBe("Let me ask ");
  });

  test("an unfinished text ends before the word that is still being written", () => {
    const redactor = createRedactor(["open sesame now"]);
    expect(redactor.unfinished(`the key is ${secret.slice(0, 30)}`)).toBe("the key is ");
    expect(redactor.unfinished("say open sesame")).toBe("say ");
    expect(redactor.unfinished("say open sesame now and ")).toBe("say •••••• and ");
  });

  test("a stream hands out the same as the whole text at once, cut anywhere", () => {
    const text = `one two password: hunter2x1 three\n${secret} four\n-----BEGIN PRIVATE KEY-----\n${letters}\n${letters}\n-----END PRIVATE KEY-----\nfive six`;
    fc.assert(
      fc.property(fc.array(fc.nat(9), { maxLength: 80 }), (cuts) => {
        const stream = createRedactor().stream();
        let at = 0;
        let handed = "";
        for (const units of cuts) {
          handed += stream.push(text.slice(at, at + units));
          at += units;
        }
        expect(handed + stream.push(text.slice(at)) + stream.end()).toBe(redact(text));
      }),
    );
  });

  test("plain words come out as they go in, only the last one waits", () => {
    const stream = createRedactor().stream();
    expect(["I am ad", "ding it ", "back"].map((piece) => stream.push(piece))).toEqual(["I am ", "adding it ", ""]);
    expect(stream.end()).toBe("back");
  });

  test("a word without an end and a key block without an end cost no memory and let nothing through", () => {
    const stream = createRedactor().stream();
    let handed = stream.push("-----BEGIN PRIVATE KEY-----\n");
    for (let line = 0; line < 4_000; line += 1) handed += stream.push(`${letters.slice(0, 64)}\n`);
    handed += stream.end();
    expect(handed.replaceAll("•", "").trim()).toBe("");
  });
});

describe("cost", () => {
  test("redacting twice changes nothing", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constantFrom(...shapes.map(([, secret]) => secret), "password=", "token: ", "://a:", "@"),
            fc.string(),
          ),
        ),
        (parts) => {
          const once = redact(parts.join(""));
          expect(redact(once)).toBe(once);
        },
      ),
    );
  });
});

test("the folder one works in is no password, whatever it is called in the environment", () => {
  expect(secretsIn({ PWD: "/home/ada/parser", OLDPWD: "/home/ada", DB_PWD: "correct horse battery" })).toEqual([
    "correct horse battery",
  ]);
});

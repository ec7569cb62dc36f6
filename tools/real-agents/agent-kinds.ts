// The real agents that are tried, as data: the pinned package, and what each has to find in its home and environment so
// that it talks to the stand-in model and asks before it acts. A new agent is a row.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export type AgentKind = {
  readonly name: string;
  /** With its version; npm under an old Node would quietly take an older one. Null for the built-in agent. */
  readonly package: string | null;
  readonly program: string;
  /** Files in the agent's home, by path. */
  files(model: ModelPlace): Readonly<Record<string, string>>;
  environment(model: ModelPlace): Readonly<Record<string, string>>;
  /** Whether it can be given servers of tools. */
  readonly tools: "servers" | "its own";
  /** When somebody may come back to a session. */
  readonly comeBack: "at once" | "in the next minute";
  /** How many sessions it keeps open at once. */
  readonly sessions: "one" | "several";
  /** Whether its questions can be denied with a reason. */
  readonly denial: "with a reason" | "without one";
};

export type ModelPlace = { readonly url: string; readonly key: string; readonly home: string };

export const agentKinds: readonly AgentKind[] = [
  {
    name: "palaver",
    package: null,
    program: "palaver",
    files: () => ({}),
    environment: ({ url, key }) => ({
      PALAVER_MODEL: "compatible:words",
      PALAVER_BASE_URL: `${url}/v1`,
      PALAVER_API_KEY: key,
    }),
    tools: "its own",
    comeBack: "at once",
    sessions: "several",
    denial: "with a reason",
  },
  {
    name: "gemini",
    package: "@google/gemini-cli@0.61.0",
    program: "gemini",
    files: () => ({
      ".gemini/settings.json": JSON.stringify({
        security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false },
      }),
    }),
    environment: ({ url, key }) => ({
      GEMINI_API_KEY: key,
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_NO_RELAUNCH: "true",
      GEMINI_CLI_TRUST_WORKSPACE: "true",
    }),
    tools: "servers",
    // Its files of a session carry the minute in their names: coming back within it, gemini overwrites what it would read.
    comeBack: "in the next minute",
    sessions: "several",
    denial: "with a reason",
  },
  {
    name: "opencode",
    package: "opencode-ai@1.18.33",
    program: "opencode",
    files: () => ({}),
    environment: ({ url, key }) => ({
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        autoupdate: false,
        share: "disabled",
        model: "standin/words",
        small_model: "standin/words",
        enabled_providers: ["standin"],
        permission: { edit: "ask", bash: "ask" },
        provider: {
          standin: {
            name: "Stand-in",
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: `${url}/v1`, apiKey: key },
            models: { words: { name: "Words", tool_call: true, limit: { context: 200_000, output: 8_000 } } },
          },
        },
      }),
    }),
    tools: "servers",
    comeBack: "at once",
    sessions: "several",
    denial: "with a reason",
  },
  {
    name: "kimi",
    package: "@moonshot-ai/kimi-code@2.1.0",
    program: "kimi",
    files: ({ url, key }) => ({
      ".kimi-code/config.toml": [
        'default_model = "standin"',
        "telemetry = false",
        "[providers.standin]",
        'type = "openai"',
        `base_url = "${url}/v1"`,
        `api_key = "${key}"`,
        "[models.standin]",
        'provider = "standin"',
        'model = "words"',
        "max_context_size = 200000",
        "",
      ].join("\n"),
    }),
    environment: ({ home }) => ({
      KIMI_CODE_HOME: join(home, ".kimi-code"),
      KIMI_CODE_NO_AUTO_UPDATE: "1",
      KIMI_DISABLE_TELEMETRY: "1",
    }),
    tools: "servers",
    comeBack: "at once",
    sessions: "several",
    denial: "with a reason",
  },
  {
    name: "claude",
    package: "@anthropic-ai/claude-code@2.1.325",
    program: "claude",
    files: () => ({}),
    environment: ({ url, key, home }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: key,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CONFIG_DIR: join(home, ".claude"),
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
    }),
    tools: "servers",
    comeBack: "at once",
    sessions: "one",
    denial: "with a reason",
  },
  {
    name: "codex",
    package: "@openai/codex@0.166.0",
    program: "codex",
    files: ({ url }) => ({
      ".codex/config.toml": [
        'model = "stand-in"',
        'model_provider = "standin"',
        'sandbox_mode = "read-only"',
        'approval_policy = "on-request"',
        "check_for_update_on_startup = false",
        "[analytics]",
        "enabled = false",
        "[model_providers.standin]",
        'name = "Stand-in"',
        `base_url = "${url}/v1"`,
        'wire_api = "responses"',
        'env_key = "STAND_IN_KEY"',
        "requires_openai_auth = false",
        "supports_websockets = false",
        "stream_max_retries = 1",
        "request_max_retries = 0",
        "",
      ].join("\n"),
    }),
    environment: ({ key, home }) => ({ CODEX_HOME: join(home, ".codex"), STAND_IN_KEY: key }),
    tools: "servers",
    comeBack: "at once",
    sessions: "one",
    denial: "with a reason",
  },
  {
    name: "pi",
    package: "@earendil-works/pi-coding-agent@0.87.1",
    program: "pi",
    files: ({ url, key }) => ({
      ".pi/agent/models.json": JSON.stringify({
        providers: {
          standin: {
            baseUrl: `${url}/v1`,
            api: "openai-completions",
            apiKey: key,
            models: [{ id: "words", name: "Words", contextWindow: 200_000, maxTokens: 8_000 }],
          },
        },
      }),
      ".pi/agent/settings.json": JSON.stringify({ defaultProvider: "standin", defaultModel: "words" }),
      // pi asks for nothing by itself; this extension of ours does.
      ".pi/agent/extensions/gate.ts": PI_GATE,
    }),
    environment: ({ home }) => ({
      PI_CODING_AGENT_DIR: join(home, ".pi", "agent"),
      PI_OFFLINE: "1",
      PI_SKIP_VERSION_CHECK: "1",
      PI_TELEMETRY: "0",
    }),
    tools: "its own",
    comeBack: "at once",
    sessions: "one",
    denial: "without one",
  },
];

const PI_GATE = `export default function (pi) {
  pi.on("tool_call", async (event, ctx) => {
    const allowed = await ctx.ui.confirm("run " + event.toolName, JSON.stringify(event.input));
    return allowed ? undefined : { block: true, reason: "the user said no" };
  });
}
`;

export function furnish(kind: AgentKind, place: ModelPlace): void {
  for (const [path, text] of Object.entries(kind.files(place))) {
    const file = join(place.home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

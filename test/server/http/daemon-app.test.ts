// The routes without a socket: statuses, bodies in all their forms, and a description that is true.
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { type StateEntry, stateSchema } from "../../../src/contract/daemon.js";
import { AskRegistry } from "../../../src/host/asks/ask-registry.js";
import { TuiError } from "../../../src/server/handlers/tui.js";
import { aboutRoutes, proveRoute } from "../../../src/server/http/about-routes.js";
import { askRoutes } from "../../../src/server/http/ask-routes.js";
import { createDaemonApp } from "../../../src/server/http/daemon-app.js";
import { logRoutes } from "../../../src/server/http/log-routes.js";
import type { Route, RouteGroup } from "../../../src/server/http/route.js";
import { type ActionOutcome, type StatePorts, stateRoutes } from "../../../src/server/http/state-routes.js";
import { LogHub } from "../../../src/server/logs/log-hub.js";
import { requestsTo } from "../../rigs/daemon/app-requests.js";

const entry: StateEntry = {
  tab_title: "BUILD",
  handler_name: "Mode",
  handler_color: "",
  handler_type: 1,
  label: "Mode",
  value: "development",
  shortcut: "Mode",
  shortcuts: null,
};

function createApp(ports: Partial<StatePorts> = {}, more: readonly RouteGroup[] = []) {
  const actions: [string, string][] = [];
  const errors: unknown[] = [];
  const hub = new LogHub();
  const state: StatePorts = {
    readState: () => [entry],
    act: async (key, value): Promise<ActionOutcome> => {
      actions.push([key, value]);
      return { kind: key === "Mode" ? "taken" : "unknown" };
    },
    showTab: (title: string) => title === "BUILD",
    cancel: (key) => key === "Mode",
    ...ports,
  };
  const health = () =>
    ({ status: "ok", pid: 1, version: "1.2.3", project: "/p", uptime_ms: 5, log_clients: 0 }) as const;
  const groups = [
    stateRoutes(state),
    logRoutes(hub).routes,
    aboutRoutes("1.2.3", health),
    [proveRoute({ claims: { program: "p", version: "1.2.3", pid: 1 }, token: "t".repeat(64), host: null })],
    askRoutes(new AskRegistry()),
    ...more,
  ];
  const app = requestsTo(createDaemonApp({ groups, version: "1.2.3", onError: (error) => errors.push(error) }));
  const post = (path: string, body?: string, type?: string) =>
    app.request(path, { method: "POST", ...(body && { body }), ...(type && { headers: { "content-type": type } }) });
  return { app, post, actions, errors, hub, groups };
}

describe("a tab in front", () => {
  test("is told by its title, and one that is not there is 404", async () => {
    const { post } = createApp();
    const shown = await post("/tabs/active", '{"title":"BUILD"}', "application/json");
    expect([shown.status, await shown.json()]).toEqual([200, { active: "BUILD" }]);
    expect((await post("/tabs/active", '{"title":"NOPE"}', "application/json")).status).toBe(404);
    for (const body of ["{}", '{"title":""}', "no json", ""]) {
      expect((await post("/tabs/active", body, "application/json")).status).toBe(400);
    }
  });
});

describe("state", () => {
  test("is 200 with the entries, and 204 without a provider", async () => {
    const { app } = createApp();
    const response = await app.request("/state");
    expect([response.status, await response.json()]).toEqual([200, [entry]]);
    const empty = await createApp({ readState: () => null }).app.request("/state");
    expect([empty.status, await empty.text()]).toEqual([204, ""]);
    expect(await (await createApp({ readState: () => [] }).app.request("/state")).json()).toEqual([]);
  });
});

describe("an action", () => {
  test.each<[string, string, string | undefined, string | undefined, [string, string]]>([
    ["the query", "/action?key=Mode&value=a+b%26", undefined, undefined, ["Mode", "a b&"]],
    ["a form", "/action", "key=Mode&value=a%20b", "application/x-www-form-urlencoded", ["Mode", "a b"]],
    ["JSON", "/action", '{"key":"Mode","value":"ä\\n"}', "application/json; charset=utf-8", ["Mode", "ä\n"]],
    ["JSON that curl calls a form", "/action", ' {"key":"Mode"}', "application/x-www-form-urlencoded", ["Mode", ""]],
    ["JSON without a type", "/action", '{"key":"Mode","value":3}', undefined, ["Mode", "3"]],
    ["JSON with a switch", "/action", '{"key":"Mode","value":true}', "application/json", ["Mode", "true"]],
    ["both, and the body wins", "/action?key=Nobody&value=1", '{"key":"Mode"}', "application/json", ["Mode", "1"]],
  ])("is understood from %s", async (_from, path, body, type, action) => {
    const { post, actions } = createApp();
    const response = await post(path, body, type);
    expect([response.status, await response.json()]).toEqual([200, { applied: "Mode" }]);
    expect(actions).toEqual([action]);
  });

  test.each<[string, string, string | undefined, string | undefined, number, RegExp]>([
    ["no key", "/action", undefined, undefined, 400, /needs a key/],
    ["an empty key", "/action?key=", undefined, undefined, 400, /needs a key/],
    ["a key that is no text", "/action", '{"key":5}', "application/json", 400, /key: /],
    ["a value that is an object", "/action", '{"key":"Mode","value":{}}', "application/json", 400, /value: /],
    ["broken JSON", "/action", '{"key":', "application/json", 400, /not JSON/],
    ["a list", "/action", "[1]", "application/json", 400, /has to be an object/],
    ["a body of another kind", "/action", "<key/>", "text/xml", 415, /JSON, a form/],
    ["a body that is too large", "/action", `{"key":"${"x".repeat(1_100_000)}"}`, "application/json", 413, /larger/],
    ["an unknown key", "/action?key=Nope", undefined, undefined, 404, /there is no action "Nope"/],
  ])("with %s is refused in words", async (_what, path, body, type, status, words) => {
    const response = await createApp().post(path, body, type);
    expect(response.status).toBe(status);
    expect(((await response.json()) as { error: string }).error).toMatch(words);
  });

  test("is 503 when no one takes actions, and when too many are under way", async () => {
    expect((await createApp({ act: null }).post("/action?key=Mode")).status).toBe(503);
    const full = () => Promise.reject(new TuiError("overloaded", "1000 actions are already running"));
    expect((await createApp({ act: full }).post("/action?key=Mode")).status).toBe(503);
  });

  test("is 400 with the reason when its receiver refuses it", async () => {
    const act = async (): Promise<ActionOutcome> => ({ kind: "refused", reason: "there is no folder /nope" });
    const response = await createApp({ act }).post("/action?key=start&value=/nope");
    expect([response.status, await response.json()]).toEqual([400, { error: "there is no folder /nope" }]);
  });

  test("can be a cancel", async () => {
    const { post, actions } = createApp();
    const known = await post("/action", '{"key":"Mode","cancel":true}');
    expect([known.status, (await post("/action?key=Nope&cancel=1")).status, actions]).toEqual([200, 404, []]);
  });

  test("by a bad UTF-8 body is refused", async () => {
    const { app } = createApp();
    const response = await app.request("/action", { method: "POST", body: Buffer.from([0x7b, 0xff, 0x7d]) });
    expect(response.status).toBe(400);
  });
});

describe("the application", () => {
  test("says which methods a path has", async () => {
    const { app } = createApp();
    const wrong = await app.request("/action");
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST"]);
    expect((await app.request("/state", { method: "DELETE" })).status).toBe(405);
    expect((await app.request("/asks/x/answer")).status).toBe(405);
  });

  test("knows no other paths, whatever they look like", async () => {
    const { app } = createApp();
    for (const path of ["/", "/nope", "/state/", "/STATE", "/state/x", "/asks//answer"]) {
      expect([path, (await app.request(path)).status]).toEqual([path, 404]);
    }
  });

  test("survives a route that throws, tells the log and not the client", async () => {
    const broken = () => {
      throw new Error("the secret reason");
    };
    const { app, errors } = createApp({ readState: broken });
    const response = await app.request("/state");
    expect([response.status, (await response.text()).includes("secret")]).toEqual([500, false]);
    expect(errors).toMatchObject([{ message: "the secret reason" }]);
  });

  test("serves its version as JSON", async () => {
    const response = await createApp().app.request("/version");
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({ version: "1.2.3" });
  });
});

describe("logs as JSON", () => {
  const get = async (hub: LogHub, query: string) => {
    const app = requestsTo(createDaemonApp({ groups: [logRoutes(hub).routes], version: "1", onError: () => {} }));
    const response = await app.request(`/logs${query}`, { headers: { accept: "application/json" } });
    const body = (await response.json()) as { content: string }[];
    return response.status === 200 ? body.map(({ content }) => content) : response.status;
  };

  test("are the newest by count and by handler", async () => {
    const hub = new LogHub({ linesMax: 100 });
    for (let line = 1; line <= 150; line += 1) {
      const handlerName = line % 2 === 0 ? "even" : "odd";
      hub.publish({ content: `msg ${line}`, kind: "info", tabTitle: "BUILD", handlerName });
    }
    const all = await get(hub, "");
    expect(all).toHaveLength(100);
    expect(all).toEqual(expect.arrayContaining(["msg 51", "msg 150"]));
    expect(await get(hub, "?lines=2")).toEqual(["msg 149", "msg 150"]);
    expect(await get(hub, "?lines=2&handler=odd")).toEqual(["msg 147", "msg 149"]);
    expect(await get(hub, "?lines=0")).toEqual([]);
    expect(await get(hub, "?tab=OTHER")).toEqual([]);
    expect(await get(hub, "?lines=many")).toBe(400);
  });
});

describe("the description", () => {
  type Operation = { responses: Record<string, unknown>; parameters: { name: string }[] };
  type Document = { openapi: string; paths: Record<string, Record<string, Operation>> };
  const describe_ = async (app: ReturnType<typeof createApp>["app"]) =>
    (await (await app.request("/openapi.json")).json()) as Document;

  test("has exactly the routes that there are", async () => {
    const { app, groups } = createApp();
    const document = await describe_(app);
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`),
    );
    const real = groups.flat().map(({ method, path }) => `${method} ${path}`);
    expect(described.sort()).toEqual([...real, "GET /openapi.json"].sort());
    expect(document.openapi).toBe("3.1.0");
  });

  test("has every schema that it refers to", async () => {
    const { app } = createApp();
    const document = (await describe_(app)) as Document & { components: { schemas: Record<string, unknown> } };
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(
      ([, reference = ""]) => reference,
    );
    expect(references).toContain("#/components/schemas/SelectParamsOutput");
    const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect(references.filter((reference) => !known.includes(reference))).toEqual([]);
  });

  test("says which number of a log line means what", async () => {
    const { app } = createApp();
    const document = JSON.stringify(await describe_(app));
    expect(document).toContain("0 display, 1 edit, 2 execution, 3 interactive, 4 loggable");
    expect(document).toContain("3 warning");
  });

  test("promises the schemas that the contract has", async () => {
    const { app } = createApp();
    const { paths } = await describe_(app);
    const { $schema: _, ...expected } = z.toJSONSchema(stateSchema);
    expect(paths["/state"]?.["get"]?.responses["200"]).toMatchObject({
      content: { "application/json": { schema: expected } },
    });
    expect(paths["/asks/{id}/answer"]?.["post"]?.parameters.map(({ name }) => name)).toEqual(["id"]);
  });

  test("names every status that a route was seen to answer", async () => {
    const { app, post } = createApp();
    const { paths } = await describe_(app);
    const seen: [string, string, Promise<Response> | Response][] = [
      ["/state", "get", app.request("/state")],
      ["/action", "post", post("/action?key=Mode")],
      ["/action", "post", post("/action?key=Nope")],
      ["/action", "post", post("/action")],
      ["/action", "post", post("/action", "<x/>", "text/xml")],
      ["/action", "post", post("/action", "x".repeat(1_100_000), "application/json")],
      ["/action", "post", createApp({ act: null }).post("/action?key=Mode")],
      ["/asks/{id}/answer", "post", post("/asks/x/answer", '{"value":1}')],
      ["/asks/{id}/answer", "post", post("/asks/x/answer", "{")],
      ["/version", "get", app.request("/version")],
      ["/health", "get", app.request("/health")],
    ];
    for (const [path, method, response] of seen) {
      expect(Object.keys(paths[path]?.[method]?.responses ?? {})).toContain(String((await response).status));
    }
  });

  test("answers fit the schemas it promises", async () => {
    const { app, groups } = createApp();
    const plain = groups.flat().filter(({ method, path }) => method === "GET" && path !== "/logs");
    for (const { path, answers } of plain) {
      const body = await (await app.request(`${path}?nonce=${"0".repeat(32)}`)).json();
      expect(answers[200]?.schema?.safeParse(body).success).toBe(true);
    }
  });

  test("takes in the routes that others plug in", async () => {
    const hello: Route = {
      method: "POST",
      path: "/hello/:name",
      summary: "Says hello",
      answers: { 200: { description: "hello" } },
      handle: ({ pathParams }) => new Response(`hello ${pathParams["name"]}`),
    };
    const { app } = createApp({}, [[hello]]);
    expect(await (await app.request("/hello/you", { method: "POST" })).text()).toBe("hello you");
    expect(Object.keys((await describe_(app)).paths)).toContain("/hello/{name}");
  });
});

// What the compiler knows of a question and its answer. A wrong option is an error of the compiler, so that this file is also
// checked by `npm run types`: an `@ts-expect-error` without an error below it is one.
import { expectTypeOf, test } from "vitest";
import { createHeadlessUi } from "../../src/sdk/headless-ui.js";
import type { FormFields, PermissionAnswer } from "../../src/sdk/requests.js";

const ui = createHeadlessUi();

test("a selection has the type of its values", async () => {
  const bare = await ui.select({ title: "T", options: ["red", "green"] });
  expectTypeOf(bare).toEqualTypeOf<"red" | "green" | null>();
  const labelled = await ui.multiSelect({ title: "T", options: [{ value: "a", label: "A" }, { value: "b" }] });
  expectTypeOf(labelled).toEqualTypeOf<("a" | "b")[] | null>();
  const loaded: string[] = [];
  expectTypeOf(await ui.select({ title: "T", options: loaded })).toEqualTypeOf<string | null>();
});

test("a form has the types of its fields", async () => {
  const answer = await ui.form({
    title: "Service",
    fields: {
      port: { kind: "number", default: 80 },
      name: { kind: "text", required: true },
      note: { kind: "text" },
      tls: { kind: "confirm" },
      region: { kind: "select", options: ["eu", "us"], required: true },
      tags: { kind: "multi_select", options: [{ value: "x" }, { value: "y" }] },
    },
  });
  expectTypeOf<NonNullable<typeof answer>>().toEqualTypeOf<{
    port: number;
    name: string;
    note?: string;
    tls: boolean;
    region: "eu" | "us";
    tags?: ("x" | "y")[];
  }>();
});

test("a form may be made elsewhere", async () => {
  const loaded: FormFields = {};
  void ui.form({ title: "T", fields: loaded });
  const fields = { env: { kind: "select", options: ["a", { value: "b", label: "B" }], default: "b" } } as const;
  expectTypeOf(await ui.form({ title: "T", fields })).toEqualTypeOf<{ env: "a" | "b" } | null>();
});

test("a permission is not a bare boolean", async () => {
  expectTypeOf(await ui.permission({ tool: "edit", path: "a.txt", diff: "+a" })).toEqualTypeOf<PermissionAnswer>();
});

test("a wrong option does not compile", () => {
  // @ts-expect-error secret is misspelt: the text would be shown
  void ui.input({ title: "T", secert: true });
  // @ts-expect-error secret is no text
  void ui.input({ title: "T", secret: "yes" });
  // @ts-expect-error the wire's spelling
  void ui.input({ title: "T", min_length: 3 });
  // @ts-expect-error a function cannot travel
  void ui.input({ title: "T", validate: (value: string) => value !== "" });
  // @ts-expect-error not one of the values
  void ui.select({ title: "T", options: ["a", "b"], default: "c" });
  // @ts-expect-error no such kind of field
  void ui.form({ title: "T", fields: { a: { kind: "slider" } } });
  // @ts-expect-error a choice needs options
  void ui.form({ title: "T", fields: { a: { kind: "select" } } });
  // @ts-expect-error required is misspelt in a field
  void ui.form({ title: "T", fields: { a: { kind: "text", requierd: true } } });
  // @ts-expect-error a number has no length
  void ui.form({ title: "T", fields: { a: { kind: "number", minLength: 3 } } });
  // @ts-expect-error not one of the options
  void ui.form({ title: "T", fields: { a: { kind: "select", options: ["x", { value: "y" }], default: "z" } } });
  // @ts-expect-error not one of the options
  void ui.form({ title: "T", fields: { a: { kind: "multi_select", options: ["x"], default: ["z"] } } });
  // @ts-expect-error the question itself has no such option
  void ui.form({ title: "T", fields: { a: { kind: "text" } }, opts: {} });
  // @ts-expect-error a permission names its tool
  void ui.permission({ diff: "+a" });
});

// Switching projects: the old one is cancelled and waited for, and what comes late from it touches nothing.
import { describe, expect, test } from "vitest";
import { HeadlessTui } from "../../../src/server/handlers/headless-tui.js";
import { type ActionChain, performAction, readStates } from "../../../src/server/http/state-routes.js";
import { type OpenProject, type ProjectRun, ProjectSlot } from "../../../src/server/project/project-slot.js";
import { temporaryFolder } from "../temporary-folder.js";

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });

function tuiOf(name: string, ran: string[] = []): HeadlessTui {
  const tui = new HeadlessTui();
  tui.addHandler(
    { name: () => name, label: () => name, execute: () => void ran.push(name) },
    "",
    tui.newTabSection(name, ""),
  );
  return tui;
}

const createSlot = (open: OpenProject, endMsMax?: number) => {
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  return { errors, slot: new ProjectSlot({ open, onError, ...(endMsMax === undefined ? {} : { endMsMax }) }) };
};

describe("a slot for projects", () => {
  test("cancels the old project, waits for its end and starts the new one", async () => {
    const [a, b] = [temporaryFolder(), temporaryFolder()];
    const events: string[] = [];
    const name = (folder: string) => (folder === a ? "a" : "b");
    const { slot, errors } = createSlot(async ({ folder, signal }) => {
      events.push(`${name(folder)} starts`);
      await untilAborted(signal);
      await new Promise((resolve) => setImmediate(resolve));
      events.push(`${name(folder)} ends`);
    });
    await slot.start(a);
    await slot.start(b);
    await slot.restart();
    await slot.stop();
    expect(events).toEqual(["a starts", "a ends", "b starts", "b ends", "b starts", "b ends"]);
    expect([slot.folder, errors]).toEqual([null, []]);
  });

  test("a late clean-up of the old project cannot touch what the new one shows", async () => {
    const runs: ProjectRun[] = [];
    const { slot } = createSlot(async (run) => {
      runs.push(run);
      run.show(tuiOf(`project ${runs.length}`));
      await untilAborted(run.signal);
    });
    await slot.start(temporaryFolder());
    await expect.poll(() => slot.tui?.getHandlerStates()?.[0]?.handler_name).toBe("project 1");
    await slot.start(temporaryFolder());
    await expect.poll(() => slot.tui?.getHandlerStates()?.[0]?.handler_name).toBe("project 2");
    runs[0]?.hide();
    runs[0]?.show(tuiOf("ghost"));
    expect(slot.tui?.getHandlerStates()?.[0]?.handler_name).toBe("project 2");
    runs[1]?.hide();
    expect(slot.tui).toBeNull();
  });

  test("a project that does not end holds the next one up for a while only, and is reported", async () => {
    const folders = [temporaryFolder(), temporaryFolder()] as const;
    const started: string[] = [];
    const { slot, errors } = createSlot(({ folder }) => {
      started.push(folder);
      return new Promise(() => {});
    }, 10);
    await slot.start(folders[0]);
    await slot.start(folders[1]);
    await expect.poll(() => started).toEqual([...folders]);
    expect(errors).toMatchObject([{ message: expect.stringContaining("did not end within 10 ms") }]);
  });

  test("a project that fails is reported, and the slot can start another", async () => {
    const folder = temporaryFolder();
    const { slot, errors } = createSlot(() => Promise.reject(new Error("no compiler")));
    await slot.start(folder);
    await expect.poll(() => errors).toMatchObject([{ message: "no compiler" }]);
    await expect(slot.start(folder)).resolves.toBeUndefined();
  });
});

describe("the chain of those who may take an action", () => {
  const chainWith = (parts: Partial<ActionChain>, said: string[] = []): ActionChain => ({
    tui: null,
    slot: null,
    onAction: null,
    quit: () => void said.push("quit"),
    onError: (error) => void said.push(String(error)),
    ...parts,
  });

  test("is the project, the daemon, the program, and then the keys that start and stop things", async () => {
    const [ran, said]: [string[], string[]] = [[], []];
    const { slot } = createSlot(async (run) => {
      run.show(tuiOf("both", ran));
      await untilAborted(run.signal);
    });
    await slot.start(temporaryFolder());
    await expect.poll(() => slot.tui).not.toBeNull();
    const ofDaemon = tuiOf("stop", said);
    const onAction = (key: string) => key === "own";
    const chain = chainWith({ slot, tui: ofDaemon, onAction }, said);
    const kinds = [];
    for (const key of ["both", "stop", "own", "nobody"]) kinds.push((await performAction(chain, key, "")).kind);
    expect(kinds).toEqual(["taken", "taken", "taken", "unknown"]);
    await expect.poll(() => [ran, said]).toEqual([["both"], ["stop"]]);
    expect(slot.folder).not.toBeNull();
    expect(readStates(chain)?.map(({ handler_name }) => handler_name)).toEqual(["both", "stop"]);
    await slot.stop();
  });

  test("start says which folder is missing, restart that nothing runs", async () => {
    const { slot } = createSlot(({ signal }) => untilAborted(signal));
    const chain = chainWith({ slot });
    expect(await performAction(chain, "start", "/no/such/folder")).toEqual({
      kind: "refused",
      reason: "there is no folder /no/such/folder",
    });
    expect(await performAction(chain, "restart", "")).toMatchObject({ kind: "refused" });
    const folder = temporaryFolder();
    expect(await performAction(chain, "start", folder)).toEqual({ kind: "taken" });
    expect(slot.folder).toBe(folder);
    expect(await performAction(chain, "stop", "")).toEqual({ kind: "taken" });
    await expect.poll(() => slot.folder).toBeNull();
  });

  test("quit ends the daemon, and so does stop where there is no project to stop", async () => {
    const said: string[] = [];
    const chain = chainWith({}, said);
    expect((await performAction(chain, "quit", "")).kind).toBe("taken");
    expect((await performAction(chain, "stop", "")).kind).toBe("taken");
    expect((await performAction(chain, "restart", "")).kind).toBe("unknown");
    await expect.poll(() => said).toEqual(["quit", "quit"]);
  });

  test("has no state where no one provides any", () => {
    expect(readStates({ tui: null, slot: null })).toBeNull();
    expect(readStates({ tui: new HeadlessTui(), slot: null })).toEqual([]);
  });
});

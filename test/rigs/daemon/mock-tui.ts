// A surface for the tests of programs that register handlers: it keeps what it was given and lets a test look at it. It obeys
// the same contract as the real ones, so that a program which passes on it passes on them.
import type { StateEntry } from "../../../src/contract/daemon.js";
import { type Handler, kindOf } from "../../../src/server/handlers/handler.js";
import { createTabSection, type TabSection, type Tui, TuiError, tabDetails } from "../../../src/server/handlers/tui.js";

export class MockTui implements Tui {
  readonly added: { handler: Handler; color: string; tabTitle: string }[] = [];
  readonly logged: string[] = [];
  refreshCount = 0;
  private readonly activated = new Set<Handler>();
  private end: () => void = () => undefined;
  private readonly ended = new Promise<void>((resolve) => {
    this.end = resolve;
  });

  newTabSection(title: string, description: string): TabSection {
    return createTabSection(this, { title, description });
  }

  addHandler(handler: Handler, color: string, section: TabSection): void {
    const { title: tabTitle } = tabDetails(this, section);
    if (kindOf(handler) === null) throw new TuiError("handler_unknown", "this is no handler");
    this.added.push({ handler, color, tabTitle });
    handler.setLog?.((...parts) => {
      this.logged.push(parts.join(" "));
    });
  }

  start(): Promise<void> {
    return this.ended;
  }

  refreshUI(): void {
    this.refreshCount += 1;
  }

  returnFocus(): void {}

  setActiveTab(section: TabSection): void {
    const { title } = tabDetails(this, section);
    for (const { handler, tabTitle } of this.added) {
      if (tabTitle !== title || this.activated.has(handler)) continue;
      this.activated.add(handler);
      void handler.onTabActive?.();
    }
  }

  getHandlerStates(): readonly StateEntry[] | null {
    return null;
  }

  dispatchAction(_key: string, _value: string): boolean {
    return false;
  }

  async shutdown(): Promise<void> {
    this.end();
  }
}

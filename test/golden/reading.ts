// A scene for the ear: the reader of the terminal UI, and every line it said.
import { ReaderStage } from "../views/reader/reader-stage.js";

export interface Reading {
  readonly name: string;
  readonly play: (stage: ReaderStage) => void | Promise<void>;
}

export async function readingText({ play }: Reading): Promise<string> {
  const stage = new ReaderStage();
  await play(stage.ready());
  stage.wait(1_000);
  const lines = await stage.all();
  stage.emulator.dispose();
  return `${lines.join("\n")}\n`;
}

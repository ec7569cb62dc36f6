// A scene: something a person can see, as data. It is played at two sizes, and what is on the screen at its end is kept as a
// golden frame.
import type { ColourDepth } from "../../src/text/look.js";
import type { AppLook } from "../../src/views/inline/app-look.js";
import type { GoldenStage } from "./golden-stage.js";

export interface SceneSize {
  readonly columns: number;
  readonly rows: number;
}

export const SCENE_SIZES: readonly SceneSize[] = [
  { columns: 80, rows: 24 },
  { columns: 40, rows: 10 },
];

export interface Scene {
  /** Also the name of its files. */
  readonly name: string;
  /** What happens until the picture is taken. */
  readonly play: (stage: GoldenStage) => void | Promise<void>;
  /** Where colour says something: the roles of the cells are part of the golden frame. */
  readonly roles?: "kept";
  readonly glyphs?: "ascii";
  readonly colours?: ColourDepth;
  readonly screen?: "inline" | "full";
  readonly look?: Partial<AppLook>;
}

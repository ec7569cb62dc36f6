// Every visible thing, as a golden frame in frames/: no visible change without a change there. `npx vitest run test/golden -u`
// writes them anew; read what changed before you keep it.
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { frameText } from "./frame-text.js";
import { GoldenStage } from "./golden-stage.js";
import { readingText } from "./reading.js";
import { roleText } from "./role-letters.js";
import { SCENE_SIZES, type Scene, type SceneSize } from "./scene.js";
import { scenes } from "./scenes/all-scenes.js";
import { readings } from "./scenes/readings.js";

const FRAMES = new URL("frames/", import.meta.url);

function fileOf({ name }: Scene, { columns, rows }: SceneSize): string {
  return `${name}.${columns}x${rows}.txt`;
}

async function played(scene: Scene, size: SceneSize): Promise<string> {
  const stage = new GoldenStage(size, scene);
  await scene.play(stage);
  stage.wait(60);
  await stage.read();
  const text = frameText(stage.emulator);
  const roles = scene.roles === "kept" ? `\n${await roleText(stage.written, size)}` : "";
  stage.emulator.dispose();
  return `${text}${roles}\n`;
}

describe.each(scenes.map((scene) => [scene.name, scene] as const))("%s", (_, scene) => {
  test.each(SCENE_SIZES.map((size) => [`${size.columns}×${size.rows}`, size] as const))("at %s", async (_, size) => {
    await expect(await played(scene, size)).toMatchFileSnapshot(`frames/${fileOf(scene, size)}`);
  });
});

describe("read aloud", () => {
  test.each(readings.map((reading) => [reading.name, reading] as const))("%s", async (_, reading) => {
    await expect(await readingText(reading)).toMatchFileSnapshot(`frames/${reading.name}.reader.txt`);
  });
});

test("every golden frame is of a scene, and no two scenes have one name", () => {
  const names = [
    ...scenes.flatMap((scene) => SCENE_SIZES.map((size) => fileOf(scene, size))),
    ...readings.map(({ name }) => `${name}.reader.txt`),
  ];
  expect(new Set(names).size).toBe(names.length);
  expect(readdirSync(FRAMES).filter((file) => !names.includes(file))).toEqual([]);
});

// A page of documentation as something that can be followed: the files it shows, the commands it says to run, and what they
// are said to print. Marks stand after the language of a block:
//
//   ```js file=agent.mjs      a file, as the reader would save it
//   ```sh run                 commands that must end with code 0, run in order in one folder
//   ```sh run exit=3          … with another code
//   ```text output            what the commands before it print

export type GuideStep =
  | { readonly type: "file"; readonly name: string; readonly text: string }
  | { readonly type: "run"; readonly script: string; readonly exitCode: number; readonly output: string | null };

const BLOCK = /^```([^\n]*)\n([\s\S]*?)^```$/gm;

export function guideSteps(page: string): GuideStep[] {
  const steps: GuideStep[] = [];
  for (const [, mark = "", text = ""] of page.matchAll(BLOCK)) {
    const last = steps.at(-1);
    const file = /\bfile=(\S+)/.exec(mark)?.[1];
    if (file !== undefined) steps.push({ type: "file", name: file, text });
    else if (/^sh run\b/.test(mark)) {
      steps.push({ type: "run", script: text, exitCode: Number(/\bexit=(\d+)/.exec(mark)?.[1] ?? 0), output: null });
    } else if (mark === "text output" && last?.type === "run") steps.splice(-1, 1, { ...last, output: text });
  }
  return steps;
}

/** Every flag that a page gives to a command of ours, in its blocks and in its sentences; those behind two dashes are not ours. */
export function flagsIn(page: string): { readonly command: string; readonly flag: string }[] {
  const calls = page.matchAll(/(?<![\w./-])palaver ([a-z]+)((?:(?! -- )[^`\n|;&])*)/g);
  return [...calls].flatMap(([, command = "", words = ""]) =>
    [...words.matchAll(/(?<=\s)--[a-z][a-z-]*/g)].map(([flag]) => ({ command, flag })),
  );
}

/** Every `palaver NAME` in the shell blocks of a page, marked or not. */
export function commandsIn(page: string): string[] {
  const shell = [...page.matchAll(BLOCK)].filter(([, mark = ""]) => /^(?:sh\b|yaml$|$)/.test(mark));
  return shell.flatMap(([, , text = ""]) =>
    [...text.matchAll(/(?:^|[|;&(]|-- |npx )\s*palaver ([a-z]+)/gm)].map(([, name = ""]) => name),
  );
}

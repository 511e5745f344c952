/** The operator's commands are those of the documents and of the usage that `openbell` prints, options included. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { OPERATOR_COMMANDS, OPERATOR_USAGE } from "#server/control/operator-commands.ts";

const CATALOGUE = { show: {}, plan: {}, apply: {} };
const NOUNS: Readonly<Record<string, Readonly<Record<string, { readonly options?: object }>>>> = {
  ...OPERATOR_COMMANDS,
  catalogue: CATALOGUE,
};
const ALL = Object.entries(NOUNS).flatMap(([noun, verbs]) =>
  Object.keys(verbs).map((verb) => `${noun} ${verb}`),
);
const DOCUMENTS = [
  "README.md",
  "CHANGELOG.md",
  ...readdirSync("docs")
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

interface Said {
  readonly command: string;
  readonly options: readonly string[];
}

/** Every `openbell NOUN VERB …` of a text; several nouns or verbs are separated by bars. */
function saidIn(text: string): Said[] {
  const nouns = Object.keys(NOUNS).join("|");
  const pattern = new RegExp(
    `\\bopenbell ((?:${nouns})(?:\\|[a-z]+)*)\\s+([a-z][a-z|-]*)([^\\n\`]*)`,
    "g",
  );
  return [...text.matchAll(pattern)].flatMap(([, found, verbs, rest]) =>
    found.split("|").flatMap((noun) =>
      verbs.split("|").map((verb) => ({
        command: `${noun} ${verb}`,
        options: [...rest.matchAll(/--([a-z-]+)/g)].map(([, option]) => option),
      })),
    ),
  );
}

function optionsOf(command: string): string[] {
  const [noun, verb] = command.split(" ");
  return ["data", ...Object.keys(NOUNS[noun]?.[verb]?.options ?? {})];
}

describe.each(DOCUMENTS)("%s", (path) => {
  test("names no command and no option that is none", () => {
    const wrong = saidIn(readFileSync(path, "utf8")).filter(
      ({ command, options }) =>
        !ALL.includes(command) || options.some((option) => !optionsOf(command).includes(option)),
    );
    expect(wrong).toEqual([]);
  });
});

test("docs/operations.md lists every command that changes or reads a running exchange", () => {
  const document = readFileSync("docs/operations.md", "utf8");
  const section = document
    .split("\n## ")
    .find((text) => text.startsWith("Change a running exchange"));
  const words = (cell: string) => [...cell.matchAll(/`([a-z-]+)`/g)].map(([, word]) => word);
  const listed = (section ?? "").split("\n").flatMap((row) => {
    const [, nouns = "", verbs = ""] = row.startsWith("| `") ? row.split("|") : [];
    return words(nouns).flatMap((noun) => words(verbs).map((verb) => `${noun} ${verb}`));
  });
  expect(listed.toSorted()).toEqual(ALL.toSorted());
});

test("openbell's usage says every command with its options", () => {
  const said = saidIn(OPERATOR_USAGE);
  const commands = ALL.filter((command) => !command.startsWith("catalogue "));
  const missing = commands.flatMap((command) => {
    const options = said.filter((each) => each.command === command).map((each) => each.options);
    const needed = optionsOf(command).filter((option) => option !== "data");
    return options.some((own) => own.toSorted().join() === needed.toSorted().join())
      ? []
      : [`${command} ${needed.join(" ")}`];
  });
  expect(missing).toEqual([]);
  expect([...new Set(said.map(({ command }) => command))].toSorted()).toEqual(commands.toSorted());
});

describe("the commands beside these", () => {
  const { stdout } = spawnSync(process.execPath, ["scripts/openbell.js", "help"], {
    encoding: "utf8",
  });
  const usages = stdout.split(/^ {2}openbell /m).slice(1);
  const texts = DOCUMENTS.map((path) => readFileSync(path, "utf8")).join("\n");
  const others = [...new Set(usages.map((usage) => /^[a-z-]+/.exec(usage)?.[0] ?? ""))].filter(
    (name) => name !== "" && !name.startsWith("--") && !Object.hasOwn(OPERATOR_COMMANDS, name),
  );

  test.each(others)("%s is in a document, with the options that it has", (name) => {
    const own = usages.filter((usage) => new RegExp(`^${name}\\b`).test(usage)).join("\n");
    const named = [...texts.matchAll(new RegExp(`openbell ${name}\\b([^\\n\`|#]*)`, "g"))];
    expect(named.length).toBeGreaterThan(0);
    const options = named.flatMap(([, rest]) => [...rest.matchAll(/ --([a-z-]+)/g)]);
    const unknown = options
      .map(([, option]) => option)
      .filter((each) => !own.includes(`--${each}`));
    expect(unknown).toEqual([]);
  });
});

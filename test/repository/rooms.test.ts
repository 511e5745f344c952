/** The rooms of the server and of the engine import what the tables of ARCHITECTURE.md allow. */
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const IMPORT = /\b(?:from|import)\s*\(?\s*"([^"]+)"|\bnew URL\(\s*"([^"]+)",\s*import\.meta/g;

/** The rows of a table of ARCHITECTURE.md: a room, and the rooms in its second column. */
function tableUnder(header: string): ReadonlyMap<string, readonly string[]> {
  const lines = readFileSync("ARCHITECTURE.md", "utf8").split("\n");
  const below = lines.slice(lines.indexOf(header) + 2);
  const rows = below.slice(
    0,
    below.findIndex((line) => !line.startsWith("|")),
  );
  return new Map(
    rows.map((row) => {
      const [room, others] = row.split("|").slice(1, 3);
      return [room.trim(), others.trim() === "nothing" ? [] : others.trim().split(", ")] as const;
    }),
  );
}

interface Import {
  readonly file: string;
  /** The room of `file`, and that of what it imports; a file beside the rooms stands for itself. */
  readonly from: string;
  readonly to: string;
}

/** What a file of a layer imports from other rooms of that layer, types included. */
function importsOf(layer: string, file: string, source: string): Import[] {
  const from = roomOf(file);
  return [...source.matchAll(IMPORT)].flatMap(([, imported, loaded]) => {
    const target = imported ?? loaded;
    const path = target.startsWith(`#${layer}/`)
      ? target.slice(layer.length + 2)
      : join(dirname(file), target);
    const isOfLayer = /^(?:\.|#)/.test(target) && !/^(?:\.\.|#)/.test(path);
    const to = roomOf(path);
    return isOfLayer && to !== from ? [{ file, from, to }] : [];
  });
}

function roomOf(path: string): string {
  return path.split("/")[0];
}

function importsWithin(layer: string): Import[] {
  const folder = join("src", layer);
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .flatMap((file) => importsOf(layer, file, readFileSync(join(folder, file), "utf8")));
}

/** Every way to import, written into a file of one room. */
function plantedImports(layer: string, from: string, to: string): Import[] {
  const target = to.endsWith(".ts") ? to : `${to}/planted.ts`;
  const sources = [
    `import { planted } from "../${target}";`,
    `import type { Planted } from "#${layer}/${target}";`,
    `import {\n  planted,\n} from "../${target}";`,
    `import "../${target}";`,
    `export { planted } from "../${target}";`,
    `const planted = await import("../${target}");`,
    `const worker = new URL("../${target}", import.meta.url);`,
  ];
  return [
    ...sources.flatMap((source) => importsOf(layer, `${from}/planted.ts`, source)),
    ...importsOf(layer, `${from}/inner/planted.ts`, `import "../../${target}";`),
  ];
}
const PLANTED = 8;

describe("the server's rooms", () => {
  /** Open to every room. */
  const open = "log.ts";
  const allowed = tableUnder("| server room | may import |");
  const rooms = [...allowed.keys()];
  const imports = importsWithin("server");

  /** The files beside the rooms wire them together. */
  function isRefused({ from, to }: Import): boolean {
    if (from.endsWith(".ts")) return from === open;
    return to !== open && allowed.get(from)?.includes(to) !== true;
  }

  test("are those of the table, each below the rooms that it imports", () => {
    const entries = readdirSync("src/server", { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(rooms.toSorted()).toEqual(folders.toSorted());
    for (const [index, room] of rooms.entries()) {
      expect(rooms.slice(0, index)).toEqual(expect.arrayContaining([...allowed.get(room)!]));
    }
  });

  test("import what the table allows, and it allows no more than they do", () => {
    expect(imports.filter(isRefused)).toEqual([]);
    for (const [room, others] of allowed) {
      const imported = imports.filter(({ from, to }) => from === room && to !== open);
      expect([room, new Set(imported.map(({ to }) => to))]).toEqual([room, new Set(others)]);
    }
  });

  test.each(rooms)("cannot be given an import that the table lacks: %s", (from) => {
    for (const to of [...rooms, "start-server.ts"]) {
      if (to === from) continue;
      const refused = plantedImports("server", from, to).filter(isRefused);
      expect([to, refused.length]).toEqual([to, allowed.get(from)!.includes(to) ? 0 : PLANTED]);
    }
  });
});

describe("the engine's rooms", () => {
  const forbidden = tableUnder("| engine room | knows nothing of |");

  const isRefused = ({ from, to }: Import) => forbidden.get(from)?.includes(to) === true;

  test("know nothing of what the table says", () => {
    expect(importsWithin("engine").filter(isRefused)).toEqual([]);
  });

  test.each([...forbidden])("%s cannot be given an import of %s", (from, others) => {
    for (const to of others) {
      expect(plantedImports("engine", from, to).filter(isRefused)).toHaveLength(PLANTED);
    }
  });
});

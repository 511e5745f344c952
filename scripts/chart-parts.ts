/**
 * Splits the chart library for the pages: a first chart shows only a few indicators, so all others and
 * the drawing tools form a module of their own, which is loaded once one of them is used.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseAst, type Plugin } from "vite";
import { INITIAL_INDICATORS } from "../src/web/features/chart/indicators/indicator-names.ts";
import { visitNodes } from "./syntax-tree.ts";

/** The library's unconditional registration of all its indicators and drawing tools. */
const INDICATOR_LIST = /var extensions\$2 = \[([^\]]*)\];/;
const DRAWING_LIST = /var extensions = \[([^\]]*)\];/;
const LIBRARY = /\/klinecharts\/dist\/index\.esm\.js$/;
const LOADED_TOOLS = "\0virtual:chart-tools";

/**
 * `klinecharts` with the initial indicators only, and `virtual:chart-tools` with the rest. In
 * development the library is not split, and the module is empty.
 */
export function chartParts(): Plugin {
  let isBuild = false;
  return {
    name: "chart-parts",
    configResolved: ({ command }) => {
      isBuild = command === "build";
    },
    resolveId: { filter: { id: /^virtual:chart-tools$/ }, handler: () => LOADED_TOOLS },
    load: {
      filter: { id: /^\0virtual:chart-tools$/ },
      handler: () =>
        isBuild
          ? toolsModule(readFileSync(fileURLToPath(import.meta.resolve("klinecharts")), "utf8"))
          : "export default { indicators: [], drawings: [] };",
    },
    transform: {
      filter: { id: LIBRARY },
      handler: (code) => (isBuild ? { code: firstParts(code), map: null } : undefined),
    },
  };
}

/**
 * The library with the initial indicators only.
 * @throws Error if the library registers its parts in an unknown way
 */
export function firstParts(library: string): string {
  const { first } = listsOf(library);
  const source = withoutUnused(library)
    .replace(INDICATOR_LIST, () => `var extensions$2 = [${first.join(", ")}];`)
    .replace(DRAWING_LIST, "var extensions = [];");
  return withShortNames(source);
}

/**
 * Functions that the library refers to, but our styles never use: its own keyboard shortcuts, arcs and
 * icons, the legend beside the crosshair, and the last values of indicators.
 */
const UNUSED_FUNCTIONS: ReadonlySet<string> = new Set([
  "this._boundKeyBoardDownEvent",
  "CandleTooltipView.prototype._drawRectTooltip",
  "CrosshairFeatureView.prototype.drawImp",
  "IndicatorLastValueView.prototype.drawImp",
]);
const KEYS = /var hotkeys = \(_a = \{\},[^;]*\);/;
const FIGURES = "[circle, line, polygon, rect, text, arc, path]";

function withoutUnused(library: string): string {
  const bodies: { readonly start: number; readonly end: number }[] = [];
  visitNodes(parseAst(library), ({ type, left, right }) => {
    if (type !== "AssignmentExpression") return;
    const [target, value] = [left, right] as readonly { start: number; end: number }[];
    if (target === undefined || value === undefined) return;
    if (!UNUSED_FUNCTIONS.has(library.slice(target.start, target.end))) return;
    if ("body" in value) bodies.push(value.body as { start: number; end: number });
  });
  if (
    bodies.length !== UNUSED_FUNCTIONS.size ||
    !KEYS.test(library) ||
    !library.includes(FIGURES)
  ) {
    throw new Error("klinecharts has other parts: adapt scripts/chart-parts.ts");
  }
  return bodies
    .toSorted((one, other) => other.start - one.start)
    .reduce((text, { start, end }) => `${text.slice(0, start)}{}${text.slice(end)}`, library)
    .replace(KEYS, "var hotkeys = {};")
    .replace(FIGURES, "[circle, line, polygon, rect, text]");
}

/**
 * Replaces the names of the library's private properties and functions, which no other code uses, with
 * short numbered ones.
 */
function withShortNames(source: string): string {
  const numbers = new Map<string, number>();
  return source.replaceAll(/\b_[A-Za-z]{3,}\b/g, (name) => {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return `_$${number.toString(36)}`;
  });
}

/**
 * The source of a module that exports the other indicators and the drawing tools, with all of the
 * library's code that they refer to.
 * @throws Error if the library registers its parts in an unknown way
 */
export function toolsModule(library: string): string {
  const { others, drawings } = listsOf(library);
  return [
    ...statementsFor(library, [...others, ...drawings]),
    `export default { indicators: [${others.join(", ")}], drawings: [${drawings.join(", ")}] };`,
  ].join("\n");
}

function listsOf(library: string) {
  const indicators = INDICATOR_LIST.exec(library)?.[1];
  const drawings = DRAWING_LIST.exec(library)?.[1];
  if (indicators === undefined || drawings === undefined) {
    throw new Error("klinecharts registers its parts differently: adapt scripts/chart-parts.ts");
  }
  const first: readonly string[] = INITIAL_INDICATORS;
  const isFirst = (variable: string) => first.includes(indicatorName(library, variable));
  const all = variablesIn(indicators);
  return {
    first: all.filter(isFirst),
    others: all.filter((variable) => !isFirst(variable)),
    drawings: variablesIn(drawings),
  };
}

function variablesIn(list: string): string[] {
  return list.split(",").map((variable) => variable.trim());
}

function indicatorName(library: string, variable: string): string {
  const name = new RegExp(`\\nvar ${variable} = \\{\\s*name: '(\\w+)'`).exec(library)?.[1];
  if (name === undefined) throw new Error(`klinecharts: no indicator ${variable}`);
  return name;
}

interface Statement {
  readonly text: string;
  readonly references: ReadonlySet<string>;
}

/** The declarations of `names` and, transitively, of all that they refer to, in source order. */
function statementsFor(library: string, names: readonly string[]): string[] {
  const declarations = new Map<string, Statement>();
  for (const node of parseAst(library).body) {
    const references = new Set<string>();
    collectReferences(node, references);
    const statement = { text: library.slice(node.start, node.end), references };
    for (const name of declaredBy(node)) declarations.set(name, statement);
  }
  const wanted = new Set<Statement>();
  const queue = [...names];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const statement = declarations.get(name);
    if (statement === undefined || wanted.has(statement)) continue;
    wanted.add(statement);
    queue.push(...statement.references);
  }
  return [...new Set(declarations.values())]
    .filter((statement) => wanted.has(statement))
    .map(({ text }) => text);
}

type Program = ReturnType<typeof parseAst>;

function declaredBy(node: Program["body"][number]): string[] {
  if (node.type === "FunctionDeclaration") return node.id === null ? [] : [node.id.name];
  if (node.type !== "VariableDeclaration") return [];
  return node.declarations.map(({ id }) => (id.type === "Identifier" ? id.name : ""));
}

/** Collects all names used below the node, except those of properties. */
function collectReferences(root: unknown, into: Set<string>): void {
  visitNodes(root, ({ type, name }) => {
    if (type === "Identifier" && typeof name === "string") into.add(name);
  });
}

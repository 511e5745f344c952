/**
 * Finds arithmetic on units in the engine outside the two files that are its home: a product, quotient
 * or remainder of a number with a unit of its own type (amounts, ticks, lots, what they are worth, basis
 * points), and a sum or difference of two unlike ones. The compiler's types say what has a unit.
 */
import { resolve } from "node:path";
import { SyntaxKind, type Node } from "typescript/unstable/ast";
import { isBinaryExpression } from "typescript/unstable/ast/is";
import { API, TypeFlags, type IntersectionType, type Project } from "typescript/unstable/sync";

const HOMES: ReadonlySet<string> = new Set(["amount.ts", "money-formulas.ts"]);

const PRODUCTS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.AsteriskToken,
  SyntaxKind.AsteriskEqualsToken,
  SyntaxKind.AsteriskAsteriskToken,
  SyntaxKind.AsteriskAsteriskEqualsToken,
  SyntaxKind.SlashToken,
  SyntaxKind.SlashEqualsToken,
  SyntaxKind.PercentToken,
  SyntaxKind.PercentEqualsToken,
]);
const SUMS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.PlusToken,
  SyntaxKind.PlusEqualsToken,
  SyntaxKind.MinusToken,
  SyntaxKind.MinusEqualsToken,
]);

/** Each as `file:line: the expression`, for the engine in this copy of the repository. */
export function unitArithmeticIn(root: string): string[] {
  const engine = resolve(root, "src/engine");
  const api = new API({ cwd: root });
  try {
    const config = resolve(engine, "tsconfig.json");
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (project === undefined) throw new Error("the engine's project does not open");
    const files = project.program.getSourceFileNames().filter((name) => name.startsWith(engine));
    return files
      .filter((name) => !HOMES.has(name.slice(engine.length + 1)))
      .flatMap((name) =>
        unitArithmeticInFile(project, name).map((found) => found.slice(root.length + 1)),
      );
  } finally {
    api.close();
  }
}

function unitArithmeticInFile({ checker, program }: Project, fileName: string): string[] {
  const file = program.getSourceFile(fileName);
  if (file === undefined) throw new Error(`${fileName} is not in its project`);
  const found: string[] = [];
  const unitOf = (node: Node) => {
    const type = checker.getTypeAtLocation(node);
    if (type === undefined || (type.flags & TypeFlags.Intersection) === 0) return undefined;
    const isNumber = (type as IntersectionType)
      .getTypes()
      .some(({ flags }) => (flags & TypeFlags.Number) !== 0);
    return isNumber ? checker.typeToString(type) : undefined;
  };
  const visit = (node: Node): void => {
    if (isBinaryExpression(node)) {
      const { kind } = node.operatorToken;
      if (PRODUCTS.has(kind) || SUMS.has(kind)) {
        const [left, right] = [unitOf(node.left), unitOf(node.right)];
        const isFormula = PRODUCTS.has(kind)
          ? left !== undefined || right !== undefined
          : left !== undefined && right !== undefined && left !== right;
        const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
        if (isFormula) found.push(`${fileName}:${line + 1}: ${node.getText(file)}`);
      }
    }
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

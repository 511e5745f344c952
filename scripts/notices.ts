/**
 * The licence notices of the packages in an installation: name, version and licence from the lockfile,
 * and the licence texts from the installed packages. The result is the same on every machine: packages
 * that are installed on some platforms only are listed without a text, because they contain it
 * themselves.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface LockedPackage {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
}

interface Notice {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Licence texts; undefined if only some platforms install the package. */
  readonly texts: readonly string[] | undefined;
}

export const NOTICES_PATH = "THIRD-PARTY-NOTICES.md";

/** Development packages with files copied into this repository. */
const COPIED: ReadonlySet<string> = new Set(["cryptocurrency-icons"]);
const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;
const FENCE = "````";

/** The content of THIRD-PARTY-NOTICES.md for the installation in this directory. */
export function noticesOf(root: string): string {
  const notices = readNotices(root);
  const rows = notices.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`);
  return `# Third-party notices

What Openbell is made with, apart from its own code ([MIT](LICENSE)). \`npm run notices\` writes this file from the
lockfile and the installed packages. The marks of sign-in providers in \`public/providers\` belong to their owners.

| package | version | licence |
|---|---|---|
${rows.join("\n")}

## Texts of the licences

Packages that only some systems install bring theirs with them. A package without a file for its licence
declares it by the name above.

${sectionsOf(notices).join("\n\n")}
`;
}

function readNotices(root: string): Notice[] {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, LockedPackage>;
  };
  const notices = new Map<string, Notice>();
  for (const [path, entry] of Object.entries(lock.packages)) {
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    if (path === "" || (entry.dev === true && !COPIED.has(name))) continue;
    const { version, license, optional = false } = entry;
    if (license === undefined) throw new Error(`${path} declares no licence in package-lock.json`);
    const key = `${name} ${version}`;
    if (notices.get(key)?.texts !== undefined) continue;
    const texts = optional ? undefined : textsIn(join(root, path));
    notices.set(key, { name, version, license, texts });
  }
  return [...notices.values()].sort(
    (a, b) => compare(a.name, b.name) || compare(a.version, b.version),
  );
}

function textsIn(directory: string): string[] {
  if (!existsSync(directory)) throw new Error(`${directory} is not installed: run npm ci first`);
  const files = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENSE_FILE.test(entry.name))
    .map(({ name }) => name);
  return files.sort(compare).map((name) => {
    const text = readFileSync(join(directory, name), "utf8").replaceAll("\r\n", "\n");
    return text.replaceAll(/[ \t]+$/gm, "").trim();
  });
}

/** Each licence text once, with the packages under it. */
function sectionsOf(notices: readonly Notice[]): string[] {
  const owners = new Map<string, Set<string>>();
  for (const { name, texts = [] } of notices) {
    for (const text of texts) owners.set(text, (owners.get(text) ?? new Set()).add(name));
  }
  return [...owners].map(
    ([text, names]) => `### ${[...names].join(", ")}\n\n${FENCE}text\n${text}\n${FENCE}`,
  );
}

/** Compares by code unit, so that the order does not depend on the machine's locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

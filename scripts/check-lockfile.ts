/**
 * Checks the lockfile. `npm install` accepts a lockfile without the platform packages of other machines,
 * on which `npm ci` then fails. Also requires exact versions and no registry addresses.
 */
import { readFileSync } from "node:fs";

interface Package {
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  packages: Record<string, Package>;
};
const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Record<
  "dependencies" | "devDependencies" | "optionalDependencies",
  Record<string, string>
>;
const problems: string[] = [];
const names = new Set(
  Object.keys(lock.packages).map((path) => path.slice(path.lastIndexOf("node_modules/") + 13)),
);
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const name of Object.keys(entry.optionalDependencies ?? {})) {
    if (!names.has(name)) problems.push(`${path} needs ${name}, which the lockfile lacks`);
  }
}
for (const group of ["dependencies", "devDependencies", "optionalDependencies"] as const) {
  for (const [name, version] of Object.entries(manifest[group])) {
    // An alias has the package's name before its version.
    if (!/^(?:npm:[\w@/-]+@)?\d/.test(version))
      problems.push(`${name} has no exact version: ${version}`);
  }
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

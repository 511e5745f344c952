/** Which packages needed to build the pages on this machine were not installed. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface LockedPackage {
  readonly optional?: boolean;
  readonly dev?: boolean;
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
  readonly libc?: string | readonly string[];
}

interface Machine {
  readonly platform: string;
  readonly arch: string;
  /** On Linux: the C library for which Node was built. */
  readonly libc: string;
}

/**
 * npm treats a package's native builds as optional, since each is for one platform.
 * @param directory contains package.json, package-lock.json and node_modules
 * @returns paths of the missing packages in node_modules
 */
export function missingNativeParts(
  directory: string,
  machine: Machine = {
    platform: process.platform,
    arch: process.arch,
    libc: isGlibc() ? "glibc" : "musl",
  },
): string[] {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(directory, name), "utf8"));
  const { packages } = read("package-lock.json") as { packages: Record<string, LockedPackage> };
  const { optionalDependencies = {} } = read("package.json") as {
    optionalDependencies?: Record<string, string>;
  };
  const needed = ({ optional, dev, os, cpu, libc }: LockedPackage): boolean =>
    optional === true &&
    dev !== true &&
    os !== undefined &&
    [os].flat().includes(machine.platform) &&
    (cpu === undefined || [cpu].flat().includes(machine.arch)) &&
    (libc === undefined || [libc].flat().includes(machine.libc));
  return Object.entries(packages)
    .filter(([path, locked]) => needed(locked) && !existsSync(join(directory, path)))
    .map(([path]) => path.replace(/^node_modules\//, ""))
    .filter((name) => !(name in optionalDependencies));
}

function isGlibc(): boolean {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime !== undefined;
}

/**
 * The Chromium in the npm package @sparticuz/chromium, unpacked once with the system libraries that a minimal machine
 * lacks. Nothing is downloaded.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";

/** Before the tests of pages: else every process of theirs unpacks it at the same time (vitest's globalSetup). */
export default function setUp(): void {
  if ((process.env.CHROMIUM_PATH ?? "") === "") unpackedChromium();
}

/** @returns the folder that contains it */
export function unpackedChromium(): string {
  const require = createRequire(import.meta.url);
  const packageFolder = dirname(dirname(require.resolve("@sparticuz/chromium")));
  const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as {
    version: string;
  };
  // Resolves symbolic links, because paths are stored and a link may not exist later.
  const folder = join(realpathSync("node_modules"), ".cache", "chromium", version);
  if (existsSync(folder)) return folder;
  // Renamed when complete, so that an interrupted start leaves no incomplete folder.
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  const packed = (name: string) =>
    brotliDecompressSync(readFileSync(join(packageFolder, "bin", name)));
  writeFileSync(join(unfinished, "chromium"), packed("chromium.br"));
  chmodSync(join(unfinished, "chromium"), 0o755);
  for (const name of ["al2023.tar.br", "fonts.tar.br", "swiftshader.tar.br"]) {
    const into = name === "swiftshader.tar.br" ? unfinished : join(unfinished, name.split(".")[0]);
    mkdirSync(into, { recursive: true });
    const extracted = spawnSync("tar", ["-xf", "-", "-C", into], {
      input: packed(name),
      encoding: "utf8",
    });
    if (extracted.status !== 0) throw new Error(`could not unpack ${name}: ${extracted.stderr}`);
  }
  writeFileSync(join(unfinished, "fonts", "fonts.conf"), fontsConfiguration(join(folder, "fonts")));
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  return folder;
}

/** The package's own font configuration contains paths of a cloud function's file system. */
function fontsConfiguration(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}</dir>
  <cachedir>${join(folder, "cache")}</cachedir>
</fontconfig>
`;
}

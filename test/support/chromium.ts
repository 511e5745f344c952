/**
 * The browser of the tests: CHROMIUM_PATH if set, else the Chromium in the npm package
 * @sparticuz/chromium, unpacked once with the system libraries that a minimal machine lacks. Nothing is
 * downloaded.
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
import { type Browser, type BrowserContext, chromium } from "playwright-core";

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--force-color-profile=srgb",
];

/** Time limit for everything that tests await on a page: enough for a busy machine. */
const PATIENCE_MS = 60_000;

let shared: Promise<Browser> | undefined;
let running: Browser | undefined;

/**
 * The browser that all test files of this process share. `close` closes only the contexts opened through
 * the returned object.
 */
export async function sharedChromium(): Promise<Browser> {
  shared ??= launchShared();
  const browser = await shared;
  const contexts = new Set<BrowserContext>();
  const own = Object.create(browser) as Browser;
  own.newContext = async (options) => {
    const context = await browser.newContext(options);
    contexts.add(context);
    return context;
  };
  own.close = async () => {
    await Promise.all([...contexts].map((context) => context.close()));
  };
  return own;
}

/** The contexts that tests of this process have open in the shared browser. */
export function openContexts(): readonly BrowserContext[] {
  return running?.contexts() ?? [];
}

async function launchShared(): Promise<Browser> {
  const browser = await launchChromium();
  running = browser;
  // The next test file launches another browser.
  browser.on("disconnected", () => {
    shared = undefined;
    running = undefined;
  });
  process.once("SIGTERM", () => void browser.close().finally(() => process.exit()));
  return browser;
}

export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  const browser = await launch([...ARGUMENTS, ...more]);
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    // A frame in which a number flashes costs as much as one that says something new, sixty times a second.
    const context = await newContext({ reducedMotion: "reduce", ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
}

async function launch(args: string[]): Promise<Browser> {
  const timeout = PATIENCE_MS;
  const given = process.env.CHROMIUM_PATH;
  if (given !== undefined && given !== "") {
    return await chromium.launch({ executablePath: given, args, timeout });
  }
  const folder = unpack();
  return await chromium.launch({
    executablePath: join(folder, "chromium"),
    args,
    timeout,
    env: {
      ...(process.env as Record<string, string>),
      LD_LIBRARY_PATH: join(folder, "al2023", "lib"),
      FONTCONFIG_PATH: join(folder, "fonts"),
    },
  });
}

function unpack(): string {
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

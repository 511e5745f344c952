/** The browser of the tests: CHROMIUM_PATH if set, else the one that comes with the packages. */
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { unpackedChromium } from "./unpacked-chromium.ts";

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
  const folder = unpackedChromium();
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

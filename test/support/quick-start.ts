/**
 * Node options for processes that tests start and kill. They load libraries from bundles, and save the compile cache
 * for later processes (NODE_COMPILE_CACHE in vitest.config.ts), which Node itself does only on an orderly exit.
 */
const script = `
import { flushCompileCache } from "node:module";
for (const ms of [1000, 5000]) setTimeout(flushCompileCache, ms).unref();
`;

export const QUICK_START: readonly string[] = [
  `data:text/javascript,${encodeURIComponent(script)}`,
  new URL("./bundled-libraries.ts", import.meta.url).href,
].flatMap((module) => ["--import", module]);

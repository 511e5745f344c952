/**
 * Node options for processes that tests start and kill: they save the compile cache for later processes
 * (NODE_COMPILE_CACHE in vitest.config.ts), which Node itself does only on an orderly exit.
 */
const script = `
import { flushCompileCache } from "node:module";
for (const ms of [1000, 5000]) setTimeout(flushCompileCache, ms).unref();
`;

export const KEEP_COMPILED: readonly string[] = [
  "--import",
  `data:text/javascript,${encodeURIComponent(script)}`,
];

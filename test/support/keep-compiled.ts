/**
 * Options for a Node that tests start and kill: it leaves what it compiled to those that come after it
 * (NODE_COMPILE_CACHE in vitest.config.ts), which it would do by itself at an orderly end only.
 */
const script = `
import { flushCompileCache } from "node:module";
for (const ms of [1000, 5000]) setTimeout(flushCompileCache, ms).unref();
`;

export const KEEP_COMPILED: readonly string[] = [
  "--import",
  `data:text/javascript,${encodeURIComponent(script)}`,
];

/**
 * Loaded with `--import` into the process of a trial: what it loads of one file has the mistake in place of the
 * line. No file is changed.
 */
import { registerHooks } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { PlantedFault } from "./planted-faults.ts";

const { PLANTED_FAULT } = process.env;
if (PLANTED_FAULT !== undefined) {
  const { file, line, mistake } = JSON.parse(PLANTED_FAULT) as PlantedFault;
  const planted = pathToFileURL(resolve(file)).href;
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (url.split("?")[0] !== planted) return loaded;
      const source = Buffer.from(loaded.source as Uint8Array).toString("utf8");
      return { ...loaded, source: source.replace(line, () => mistake) };
    },
  });
}

/**
 * Loaded with `--import` into the process of a trial: what it loads of a file has the mistake instead
 * of the line; of several files if there are several mistakes. No file is changed.
 */
import { registerHooks } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { PlantedFault } from "./planted-faults.ts";

const { PLANTED_FAULT } = process.env;
if (PLANTED_FAULT !== undefined) {
  const given = JSON.parse(PLANTED_FAULT) as PlantedFault | PlantedFault[];
  const faults = new Map(
    [given].flat().map((each) => [pathToFileURL(resolve(each.file)).href, each]),
  );
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      const fault = faults.get(url.split("?")[0]);
      if (fault === undefined) return loaded;
      const source = Buffer.from(loaded.source as Uint8Array).toString("utf8");
      return { ...loaded, source: source.replace(fault.line, () => fault.mistake) };
    },
  });
}

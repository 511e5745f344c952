// Read by any Node, however old: says which one is needed instead of failing on the program's syntax.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const NEEDED = 26;

/** Where npm links it: in a checkout or below the package, and beside the package. */
const PLACES = ["../node_modules/.bin/node", "../../.bin/node"];

/** The Node that npm installed beside the other packages; undefined if it left it out. */
export function installedNode() {
  return PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find(existsSync);
}

/** Ends this process with a sentence if its Node cannot run the program. */
export function requireNode() {
  if (Number(process.versions.node.split(".")[0]) >= NEEDED) return;
  const because =
    installedNode() === undefined
      ? "npm installs it as an optional package, which is not there. Run `npm ci` without " +
        "--omit=optional (and with Node 20 or newer)."
      : "npm installed it: start with `npm start`, or with node_modules/.bin/node.";
  process.stderr.write(
    "Openbell needs Node " +
      NEEDED +
      " and this is Node " +
      process.versions.node +
      ". " +
      because +
      "\n",
  );
  process.exit(1);
}

// `npm start`, on whichever Node npm found: the program itself is in start.ts.
import { requireNode } from "./require-node.js";

requireNode();
import("./start.ts").catch((error) => {
  process.stderr.write(String(error && error.stack) + "\n");
  process.exit(1);
});

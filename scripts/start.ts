/** `npm start`: builds the pages where needed and starts the exchange. */
import { ensureBuild } from "./ensure-build.ts";

try {
  ensureBuild();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
await import("#server/main.ts");

/** Starts the exchange with built pages (`npm start`). */
import { openBuiltPages } from "./pages/built-pages.ts";
import { run } from "./run.ts";

await run(openBuiltPages);

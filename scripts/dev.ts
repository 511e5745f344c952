/** `npm run dev`: the exchange, with pages that reload when their source changes. */
import { openVitePages } from "#server/pages/vite-pages.ts";
import { run } from "#server/run.ts";

await run(openVitePages);

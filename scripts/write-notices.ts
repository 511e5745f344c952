/** `npm run notices`: writes THIRD-PARTY-NOTICES.md from the installed packages. */
import { writeFileSync } from "node:fs";
import { noticesOf, NOTICES_PATH } from "./notices.ts";
import { orSayWhy } from "./or-say-why.ts";

await orSayWhy(async () => writeFileSync(NOTICES_PATH, noticesOf(".")));

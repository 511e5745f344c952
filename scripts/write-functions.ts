/** `npm run docs`: writes docs/functions.md from the contract. */
import { writeFileSync } from "node:fs";
import { functionsDocument } from "./functions-document.ts";

writeFileSync("docs/functions.md", functionsDocument());

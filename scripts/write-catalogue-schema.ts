/** `npm run docs`: writes the JSON Schema of catalogue files, which editors use to complete and check them. */
import { writeFileSync } from "node:fs";
import { catalogueFileSchema } from "#server/catalogue/catalogue-file.ts";

const schema = JSON.stringify(catalogueFileSchema(), null, 2);
writeFileSync("docs/catalogue.schema.json", `${schema}\n`);

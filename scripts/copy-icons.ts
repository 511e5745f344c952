/** Copies the icons of the catalogue's coins from cryptocurrency-icons (CC0) into public/coins. */
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { COINS } from "#server/catalogue/coins.ts";

mkdirSync("public/coins", { recursive: true });
for (const { symbol } of COINS) {
  const icon = `${symbol.toLowerCase()}.svg`;
  const source = `node_modules/cryptocurrency-icons/svg/color/${icon}`;
  if (existsSync(source)) copyFileSync(source, `public/coins/${icon}`);
  else process.stdout.write(`no icon for ${symbol}: pages show a letter badge\n`);
}

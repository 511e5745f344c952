/** Writes .br and .gz versions of built files that become smaller, so that requests need no compression. */
import { globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const SIZE_MIN = 1_024;

for (const file of globSync("dist/client/**/*.{js,css,svg,html,json,txt,webmanifest}")) {
  if (statSync(file).size < SIZE_MIN) continue;
  const content = readFileSync(file);
  const brotli = brotliCompressSync(content, {
    params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  });
  const gzip = gzipSync(content, { level: constants.Z_BEST_COMPRESSION });
  if (brotli.length < content.length) writeFileSync(`${file}.br`, brotli);
  if (gzip.length < content.length) writeFileSync(`${file}.gz`, gzip);
}

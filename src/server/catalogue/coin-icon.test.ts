import { crc32, deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { iconProblem } from "./coin-icon.ts";

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

function header(width: number, height: number): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  // Eight bits of red, green, blue and alpha.
  data.set([8, 6, 0, 0, 0], 8);
  return chunk("IHDR", data);
}

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
const END = chunk("IEND", Buffer.alloc(0));
const pixels = (side: number) => chunk("IDAT", deflateSync(Buffer.alloc(side * (side * 4 + 1))));
const png = (...chunks: readonly Buffer[]) =>
  Buffer.concat([SIGNATURE, ...chunks]).toString("base64");

test("a small square PNG is an icon", () => {
  expect(iconProblem(png(header(32, 32), pixels(32), END))).toBeUndefined();
  expect(iconProblem(png(header(256, 256), pixels(256), END))).toBeUndefined();
});

test.each([
  ["a text", Buffer.from("hello").toString("base64"), /PNG that is whole/],
  ["no base 64", "%%%", /base 64/],
  ["an SVG", Buffer.from("<svg onload=alert(1)>").toString("base64"), /PNG that is whole/],
  ["wide", png(header(32, 16), pixels(32), END), /square of 16 to 256 pixels, and has 32 × 16/],
  ["tiny", png(header(8, 8), pixels(8), END), /and has 8 × 8/],
  ["large", png(header(512, 512), pixels(512), END), /and has 512 × 512/],
  ["cut off", png(header(32, 32), pixels(32)), /PNG that is whole/],
  ["longer than its end", png(header(32, 32), pixels(32), END, END), /PNG that is whole/],
  [
    "with a text in it",
    png(header(32, 32), chunk("tEXt", Buffer.from("x")), pixels(32), END),
    /"tEXt"/,
  ],
  ["animated", png(header(32, 32), chunk("acTL", Buffer.alloc(8)), pixels(32), END), /"acTL"/],
  ["without pixels", png(header(32, 32), END), /PNG that is whole/],
  ["a bomb", png(header(16, 16), pixels(256), END), /PNG that is whole/],
  [
    "damaged",
    png(header(32, 32), pixels(32), END).replace("IHDR", "IHDS").replace(/.{8}$/, "AAAAAAA="),
    /PNG that is whole|base 64/,
  ],
  ["too many bytes", png(header(32, 32), chunk("IDAT", Buffer.alloc(17_000)), END), /16 KiB/],
])("what is %s is none", (_what, base64, problem) => {
  expect(iconProblem(base64)).toMatch(problem);
});

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { httpScene, SCRIPT } from "#test/support/http-scene.ts";

const scene = httpScene();
const { call, start } = scene;

describe("files", () => {
  test("hashed files are kept forever, others for an hour", async () => {
    await start();
    const script = await call("/assets/page-abc123.js");
    expect(script.text).toBe(SCRIPT);
    expect(script.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "content-length": String(SCRIPT.length),
      vary: "accept-encoding",
    });
    expect((await call("/robots.txt?x=1")).headers["cache-control"]).toBe("public, max-age=3600");
  });

  test.each([
    ["gzip, deflate, br", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip;q=0.5", "gzip"],
    ["identity", undefined],
    ["br;q=0", undefined],
  ])("a client that accepts %s gets %s", async (accepted, encoding) => {
    await start();
    const answer = await call("/assets/page-abc123.js", {
      headers: { "accept-encoding": accepted },
    });
    expect(answer.headers["content-encoding"]).toBe(encoding);
    if (encoding === "br") expect(answer.text).toBe("as brotli");
    if (encoding === "gzip") expect(answer.body).toEqual(gzipSync(SCRIPT));
  });

  test("what the client has is not sent again", async () => {
    await start();
    const headers = { "accept-encoding": "br" };
    const { etag } = (await call("/assets/page-abc123.js", { headers })).headers;
    const again = await call("/assets/page-abc123.js", {
      headers: { ...headers, "if-none-match": `"x", W/${etag}` },
    });
    expect(again).toMatchObject({ status: 304, text: "" });
    expect(again.headers).toMatchObject({
      etag,
      "cache-control": expect.stringContaining("immutable"),
    });
    const other = await call("/assets/page-abc123.js", {
      headers: { "if-none-match": etag as string },
    });
    expect(other.status).toBe(200);
  });

  test("of thousands of encodings or tags only the first are looked at", async () => {
    await start();
    const encodings = `${"x, ".repeat(1_000)}br`;
    const answer = await call("/assets/page-abc123.js", {
      headers: { "accept-encoding": encodings },
    });
    expect(answer.headers["content-encoding"]).toBe(undefined);
    const tags = `${'"x", '.repeat(1_000)}${answer.headers.etag}`;
    const headers = { "if-none-match": tags };
    expect((await call("/assets/page-abc123.js", { headers })).status).toBe(200);
  });

  test("HEAD gets the headers alone", async () => {
    await start();
    const answer = await call("/robots.txt", { method: "HEAD" });
    expect(answer).toMatchObject({ status: 200, text: "" });
    expect(answer.headers["content-length"]).toBe("13");
  });

  test.each([
    "/../secret.txt",
    "/assets/../../secret.txt",
    "/%2e%2e/secret.txt",
    "/assets/%2e%2e%2f%2e%2e%2fsecret.txt",
    "/..%5csecret.txt",
    "/assets/page-abc123.js.br",
    "/.vite/manifest.json",
    "/assets/%00",
    "/assets/%",
    "/assets",
  ])("%s is no file", async (path) => {
    await start();
    const answer = await call(path);
    expect(answer.text).not.toContain("secret");
    expect(answer.text).not.toBe("as brotli");
    expect(answer.text).not.toBe("{}");
  });

  test("a hashed file that is gone is a 404 and no page", async () => {
    await start();
    expect(await call("/assets/page-old.js")).toMatchObject({ status: 404 });
  });
});

test("a coin without an icon has its letters as one; a file goes before it", async () => {
  mkdirSync(join(scene.directory, "client", "coins"));
  writeFileSync(join(scene.directory, "client", "coins", "btc.svg"), "<svg/>");
  await start();
  expect((await call("/coins/btc.svg")).text).toBe("<svg/>");
  const given = await call("/coins/pic.svg");
  expect([given.text, given.headers["content-type"]]).toEqual(["a picture", "image/png"]);
  const badge = await call("/coins/globex.svg");
  expect(badge).toMatchObject({ status: 200, headers: { "content-type": "image/svg+xml" } });
  expect(badge.text).toContain(">GLO</text>");
  expect((await call("/coins/globex.svg", { method: "HEAD" })).text).toBe("");
  // All other paths belong to pages.
  for (const path of ["/coins/a%3Cb.svg", "/coins/GLOBEX.svg", "/coins/x.png", "/coins/x.svg/y"]) {
    expect((await call(path)).headers["content-type"], path).toBe("text/html");
  }
});

/**
 * The engine is a package that anyone can install: packed, installed without a registry, and run
 * in Node, in a worker thread, in a browser's page and in a browser's worker, it leads to the same
 * state as the engine of this repository.
 */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "#test/support/chromium.ts";

interface Outcome {
  readonly lines: readonly string[];
  readonly stateHash: string;
}

let folder: string;
let here: Outcome;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "openbell-engine-"));
  execFileSync("npm", ["run", "--silent", "build-engine"]);
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder, "./dist/engine"]);
  const [archive] = readdirSync(folder);
  writeFileSync(join(folder, "package.json"), `{"private":true,"type":"module"}`);
  execFileSync("npm", ["install", "--silent", "--offline", "--no-audit", `./${archive}`], {
    cwd: folder,
  });
  for (const file of ["first-trade.js", "run.js"]) {
    cpSync(`examples/engine/${file}`, join(folder, file));
  }
  here = (await import(join(folder, "first-trade.js"))).firstTrade() as Outcome;
});
afterAll(() => rmSync(folder, { recursive: true }));

test("the package has no dependency and brings types, licence and its documentation", () => {
  const installed = join(folder, "node_modules", "openbell-engine");
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as object;
  expect(manifest).not.toHaveProperty("dependencies");
  expect(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(
    ["openbell-engine"],
  );
  expect(readdirSync(installed)).toEqual(
    expect.arrayContaining(["LICENSE", "README.md", "engine.d.ts", "commands.d.ts"]),
  );
  const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => name.endsWith(".js"))) {
    const imports = readFileSync(join(installed, file), "utf8").matchAll(/from "([^"]+)"/g);
    for (const [, from] of imports)
      expect(from, file).toMatch(/^(\.|\.\.|\.\/[a-z]+|\.\.\/[a-z]+)\/[\w-]+\.js$/);
  }
});

test("the example trades, pays both sides' fees and keeps its books in balance", () => {
  expect(here.lines).toContain("10 traded");
  expect(here.lines).toContain("    trade: 1200000 of asset 2, account 17 held to 16 available");
  expect(here.lines).toContain(
    "    makerFee: 2400 of asset 2, account 16 available to 2 available",
  );
  expect(here.lines.at(-1)).toBe("Ben owns 19950000 units of 0.00000001 BTC");
});

test("a program with types compiles against it", () => {
  writeFileSync(
    join(folder, "typed.ts"),
    `import { createEngine } from "openbell-engine";
     import type { Command } from "openbell-engine/commands";
     import { EventBuffer } from "openbell-engine/event-buffer";
     const command: Command = { type: "cancelOrder", account: 16, orderId: 1 };
     createEngine().apply(1, 0, "", command, new EventBuffer());
     // @ts-expect-error there is no such command
     export const wrong: Command = { type: "printMoney" };\n`,
  );
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2025"];
  execFileSync(resolve("node_modules/.bin/tsc"), [...options, "typed.ts"], { cwd: folder });
});

test("Node and a worker thread reach the same state", async () => {
  const printed = execFileSync(process.execPath, ["run.js"], { cwd: folder, encoding: "utf8" });
  expect(printed.trim().split("\n")).toEqual([...here.lines, `state hash ${here.stateHash}`]);
  const worker = new Worker(
    `import("${join(folder, "first-trade.js")}").then(({ firstTrade }) =>
       require("node:worker_threads").parentPort.postMessage(firstTrade()));`,
    { eval: true },
  );
  const told = await new Promise<Outcome>((done, failed) => {
    worker.once("message", done);
    worker.once("error", failed);
  });
  await worker.terminate();
  expect(told).toEqual(here);
});

test("a browser's page and its worker reach the same state", async () => {
  writeFileSync(
    join(folder, "worker.js"),
    `import { firstTrade } from "./first-trade.js"; postMessage(firstTrade());\n`,
  );
  const output = join(folder, "bundled");
  mkdirSync(output);
  for (const entry of ["first-trade.js", "worker.js"]) {
    await build({
      root: folder,
      configFile: false,
      logLevel: "error",
      build: {
        outDir: output,
        emptyOutDir: false,
        lib: { entry: join(folder, entry), formats: ["es"], fileName: () => entry },
      },
    });
  }
  const server = serve(output);
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const inPage = await page.evaluate(`import("/first-trade.js").then((m) => m.firstTrade())`);
    expect(inPage).toEqual(here);
    const inWorker = await page.evaluate(`new Promise((done, failed) => {
      const worker = new Worker("/worker.js", { type: "module" });
      worker.onmessage = (message) => done(message.data);
      worker.onerror = failed;
    })`);
    expect(inWorker).toEqual(here);
  } finally {
    await browser.close();
    server.close();
  }
});

function serve(root: string): Server {
  return createServer((request, response) => {
    if (request.url === "/") {
      response.setHeader("content-type", "text/html").end("<!doctype html><title>Engine</title>");
      return;
    }
    response.setHeader("content-type", "text/javascript");
    response.end(readFileSync(join(root, (request.url as string).slice(1))));
  }).listen(0, "127.0.0.1");
}

/**
 * Bodies, messages and bytes that are no proper requests, against the real server as a process of its
 * own: each is refused with a sentence or ends its own connection, and affects no other client.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { HandMadeSocket, post, sendBytes } from "./bad-input-clients.ts";
import { BROKEN_PROTOCOL } from "./bad-input-messages.ts";
import { GOOD_ORDER } from "./bad-input-orders.ts";
import { AttackedExchange, SENTENCE } from "./bad-input-scene.ts";

const MEGABYTE = 1_048_576;
/** What a function takes that declares no more. */
const ARGUMENT_BYTES = 65_536;

let exchange: AttackedExchange;
beforeAll(async () => {
  exchange = await AttackedExchange.start();
});
afterAll(() => exchange.server.remove());
afterEach(() => exchange.expectUnharmed());

describe("a body that is wrong is refused with a sentence", () => {
  const good = '{"path":"venue:info","format":"json","args":[{}]}';

  test.each([
    ["nothing", "", 400, "invalidArgument"],
    ["no JSON", "{path:1}", 400, "invalidArgument"],
    ["half of it", good.slice(0, 20), 400, "invalidArgument"],
    ["more than one", good + good, 400, "invalidArgument"],
    ["NaN", '{"path":"venue:info","args":[NaN]}', 400, "invalidArgument"],
    ["null", "null", 400, "invalidArgument"],
    ["a list", `[${good}]`, 400, "invalidArgument"],
    ["no path", '{"args":[{}]}', 400, "invalidArgument"],
    ["a path that is no text", '{"path":{},"args":[{}]}', 400, "invalidArgument"],
    [
      "a path of 10,000 characters",
      JSON.stringify({ path: "x".repeat(10_000), args: [{}] }),
      400,
      "invalidArgument",
    ],
    ["another format", '{"path":"venue:info","format":"xml","args":[{}]}', 400, "invalidArgument"],
    ["two argument objects", '{"path":"venue:info","args":[{},{}]}', 400, "invalidArgument"],
    ["arguments that are a list", '{"path":"venue:info","args":[[]]}', 400, "invalidArgument"],
    ["arguments that are a text", '{"path":"venue:info","args":"x"}', 400, "invalidArgument"],
    [
      "a prototype as an argument",
      '{"path":"venue:info","args":[{"__proto__":{"market":"BTC-USD"}}]}',
      400,
      "invalidArgument",
    ],
    ["a reserved name", '{"path":"venue:info","args":[{"$where":"1"}]}', 400, "invalidArgument"],
    ["a byte order mark", `\ufeff${good}`, 400, "invalidArgument"],
    ["10 MB", `{"path":"${"x".repeat(10 * MEGABYTE)}"}`, 413, "tooLarge"],
    ["one byte more than allowed", " ".repeat(MEGABYTE + 1 - good.length) + good, 413, "tooLarge"],
  ])("%s", async (_name, body, httpStatus, code) => {
    const answer = await post(exchange.url, "query", body);
    expect(answer).toMatchObject({ httpStatus, code });
    expect(answer.message).toMatch(SENTENCE);
  });

  test.each([
    ["a number that is none", '{"a":{"$float":"x"}}'],
    ["a whole number that is none", '{"a":{"$integer":"AAAA"}}'],
    ["nesting of 30,000 levels", `{"a":${"[".repeat(30_000)}${"]".repeat(30_000)}}`],
  ])("%s among the arguments", async (_name, args) => {
    const answer = await post(exchange.url, "query", `{"path":"venue:info","args":[${args}]}`);
    expect(answer).toMatchObject({ httpStatus: 400, code: "invalidArgument", field: "args" });
    expect(answer.message).toMatch(/^The arguments cannot be read: ./);
  });

  test("and one of just the allowed size is read", async () => {
    const answer = await post(
      exchange.url,
      "query",
      " ".repeat(ARGUMENT_BYTES - good.length) + good,
    );
    expect(answer.status).toBe("success");
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])(
    "%s, which pages of others could send unasked",
    async (type) => {
      const answer = await post(exchange.url, "mutation", good, { "content-type": type });
      expect(answer).toMatchObject({ httpStatus: 415, code: "invalidArgument" });
    },
  );

  test("what a page of another origin sends", async () => {
    const answer = await post(exchange.url, "mutation", good, { origin: "https://evil.example" });
    expect(answer).toMatchObject({ httpStatus: 403, code: "forbidden" });
  });
});

describe("bytes that are no proper request get an error, and affect no other client", () => {
  const head = "POST /api/query HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";

  test.each([
    ["no HTTP at all", ["\u0016\u0003\u0001\u0000\u00a5\r\n\r\n"], "400"],
    ["a chunked body", [`${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n0\r\n\r\n`], "411"],
    ["a chunk of a size that is none", [`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`], "411"],
    [
      "a length and chunks",
      [`${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
      "400",
    ],
    ["two lengths", [`${head}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}`], "400"],
    ["a negative length", [`${head}Content-Length: -5\r\n\r\n{}`], "400"],
    ["an endless length", [`${head}Content-Length: ${"9".repeat(30)}\r\n\r\n{}`], "400"],
    ["a gigabyte announced", [`${head}Content-Length: 1000000000\r\n\r\n{}`], "413"],
    ["endless headers", [`GET / HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(100_000)}\r\n\r\n`], "431"],
    ["a null byte in a header", ["GET / HTTP/1.1\r\nHost: x\u0000y\r\n\r\n"], "400"],
    ["no host", ["GET / HTTP/1.1\r\n\r\n"], "400"],
    ["another method", ["BREW /api/query HTTP/1.1\r\nHost: x\r\n\r\n"], "400"],
    [
      "an address that is none",
      ["GET http://evil.example/api/health HTTP/1.1\r\nHost: x\r\n\r\n"],
      "400",
    ],
  ])("%s", async (_name, parts, status) => {
    expect((await sendBytes(exchange.url, parts, 2_000)).slice(0, 13)).toContain(` ${status}`);
  });

  test("frames that break the rules of WebSockets", async () => {
    const upgrade =
      "GET /api/1.48.0/sync HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
    const frames: number[][] = [
      [0x81, 0x02, 0x7b, 0x7d], // not masked
      [0xf1, 0x82, 0, 0, 0, 0, 0x7b, 0x7d], // reserved bits
      [0x83, 0x82, 0, 0, 0, 0, 0x7b, 0x7d], // a reserved kind
      [0x80, 0x82, 0, 0, 0, 0, 0x7b, 0x7d], // continues what never began
      [0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe], // no UTF-8
      [0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0], // eight exabytes
      [0x89, 0xfe, 0x01, 0x00, 0, 0, 0, 0], // a ping of 256 bytes
    ];
    for (const frame of frames) {
      const received = await sendBytes(exchange.url, [upgrade, Uint8Array.from(frame)], 2_000);
      expect(received).toContain("101 Switching Protocols");
      // Its last word is a close frame of at most 125 bytes.
      const lastFrame = received.slice(received.lastIndexOf("\u0088"));
      expect(lastFrame.charCodeAt(1)).toBe(lastFrame.length - 2);
    }
  });
});

describe("a message that breaks the protocol ends its connection with a sentence", () => {
  test.each(BROKEN_PROTOCOL)("%s", async (_name, messages, sentence) => {
    const socket = await HandMadeSocket.open(exchange.url);
    for (const message of messages) socket.send(message as string | object);
    const refused = await socket.first(({ type }) => type === "FatalError");
    expect(refused.error).toMatch(sentence);
    expect(await socket.closed()).toBe(1002);
  });

  test("a binary frame", async () => {
    const socket = await HandMadeSocket.connected(exchange.url);
    socket.send(new Uint8Array(100));
    expect((await socket.first(({ type }) => type === "FatalError")).error).toMatch(SENTENCE);
    expect(await socket.closed()).toBe(1002);
  });

  test("a frame of more than 2 MB", async () => {
    const socket = await HandMadeSocket.connected(exchange.url);
    socket.send("x".repeat(2 * MEGABYTE + 1));
    expect(await socket.closed()).toBe(1009);
  });

  test("a request of 1.5 MB is answered, and its connection stays", async () => {
    const socket = await HandMadeSocket.connected(exchange.url, exchange.mallory.token);
    const order = { ...GOOD_ORDER, clientOrderId: "x".repeat(1.5 * MEGABYTE) };
    const answer = await socket.request("Mutation", 0, "orders:place", order);
    expect(answer).toMatchObject({ success: false });
    expect(answer.result).toMatch(/too large/);
    expect(await socket.request("Mutation", 1, "orders:cancelAll", {})).toMatchObject({
      success: true,
    });
    await socket.close();
  });

  test("a thousand queries are answered, and one more is refused", async () => {
    const socket = await HandMadeSocket.connected(exchange.url);
    const add = (queryId: number): object => ({
      type: "Add",
      queryId,
      udfPath: "markets:book",
      args: [{ market: "BTC-USD", levels: 1 + (queryId % 100) }],
    });
    const modifications = Array.from({ length: 1_000 }, (_, queryId) => add(queryId));
    socket.send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications });
    await socket.first(() => {
      const changes = socket.messages.flatMap((message) => message.modifications ?? []);
      const updated = changes.filter(({ type }) => type === "QueryUpdated");
      return new Set(updated.map(({ queryId }) => queryId)).size === 1_000;
    });
    socket.send({
      type: "ModifyQuerySet",
      baseVersion: 1,
      newVersion: 2,
      modifications: [add(1_000)],
    });
    expect((await socket.first(({ type }) => type === "FatalError")).error).toMatch(/1000 queries/);
    await socket.closed();
  });

  test("two hundred connections that come and say nothing", async () => {
    const sockets = await Promise.all(
      Array.from({ length: 200 }, () => HandMadeSocket.open(exchange.url)),
    );
    await Promise.all(sockets.map((socket) => socket.close()));
  });
});

test("the log has no failure of the server and no secret, and the journal is sound", async () => {
  exchange.expectQuietLog();
  await exchange.expectSoundJournal();
});

import { expect, test } from "vitest";
import { describeAddress, parseStreamAddress, withArchive } from "./stream-address.ts";

test("an address names servers, and a stream, which is openbell by default", () => {
  expect(parseStreamAddress("nats://one")).toEqual({
    servers: ["one:4222"],
    isEncrypted: false,
    stream: "openbell",
    replicas: 3,
    monitor: undefined,
    archive: undefined,
  });
  expect(parseStreamAddress("tls://a.example:1,[::1]:2,[::1]/my-exchange")).toMatchObject({
    servers: ["a.example:1", "[::1]:2", "[::1]:4222"],
    isEncrypted: true,
    stream: "my-exchange",
  });
});

test("an address may have a user, a token, replicas and a monitoring endpoint", () => {
  expect(parseStreamAddress("nats://ann:p%40ss:word@one/x")).toMatchObject({
    user: "ann",
    password: "p@ss:word",
  });
  expect(parseStreamAddress("nats://secret@one/")).toMatchObject({ token: "secret" });
  expect(parseStreamAddress("nats://one/x?replicas=1&monitor=http://127.0.0.1:8222")).toMatchObject(
    { replicas: 1, monitor: "http://127.0.0.1:8222" },
  );
});

test("an address may have an archive, which a setting names where it does not", () => {
  const named = withArchive("nats://one/x?replicas=1", "/mnt/old journals");
  expect(parseStreamAddress(named)).toMatchObject({ archive: "/mnt/old journals", replicas: 1 });
  expect(parseStreamAddress(withArchive("nats://one", "/a&b")).archive).toBe("/a&b");
  expect(withArchive(named, "/elsewhere")).toBe(named);
  expect(withArchive("nats://one/x", undefined)).toBe("nats://one/x");
});

test("a description has no password", () => {
  const address = parseStreamAddress("nats://ann:secret@one,two/x");
  expect(describeAddress(address)).toBe("the stream x on one:4222, two:4222");
});

test.each([
  ["http://one", "must look like"],
  ["nats://", "must look like"],
  ["nats://secret@one/a/b", "must look like"],
  ["nats://one,/x", "is no HOST or HOST:PORT"],
  ["nats://one/a.b", "letters, digits"],
  ["nats://one?replicas=0", "replicas must be"],
  ["nats://one?replicas=2.5", "replicas must be"],
  ["nats://one?monitor=x", "monitor must be"],
  ["nats://one?copies=3", "not copies"],
])("the address %s is refused with a sentence", (text, reason) => {
  expect(() => parseStreamAddress(text)).toThrow(reason);
  expect(() => parseStreamAddress(text)).not.toThrow("secret");
});

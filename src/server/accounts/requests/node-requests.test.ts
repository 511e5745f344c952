import type { IncomingMessage } from "node:http";
import { PassThrough, Readable } from "node:stream";
import { afterAll, expect, test } from "vitest";
import { HeldBytes } from "../../limits/held-bytes.ts";
import { WorkShares } from "../../limits/work-shares.ts";
import { BodyTooDeepError, BodyTooLargeError, toHeaders, toRequest } from "./node-requests.ts";

const held = new HeldBytes({ all: 1e9, perClient: 1e9 });
const shares = new WorkShares();
afterAll(() => shares.close());
const limits = { held, shares };

function posted(body: string | Readable): IncomingMessage {
  return Object.assign(body instanceof Readable ? body : Readable.from([Buffer.from(body)]), {
    method: "POST",
    url: "/api/auth/sign-in/email",
    headers: { "content-type": "application/json" },
    socket: {},
  }) as unknown as IncomingMessage;
}

test("a body that is nested deep is refused before it is parsed", async () => {
  const deep = `{"email":${"[".repeat(30_000)}${"]".repeat(30_000)}}`;
  await expect(toRequest(posted(deep), "http://localhost", limits)).rejects.toThrow(
    BodyTooDeepError,
  );
  const shallow = `{"email":"[[[[${"[".repeat(100)}","data":{"a":[1]}}`;
  const request = await toRequest(posted(shallow), "http://localhost", limits);
  expect(await request.text()).toBe(shallow);
});

test("what has arrived of a body counts as held until all of it has, or it is refused", async () => {
  const body = new PassThrough();
  const request = toRequest(posted(body), "http://localhost", limits);
  body.write(`"${"a".repeat(1_000)}`);
  await expect.poll(() => held.bytes).toBe(1_001);
  body.end('"');
  expect(await (await request).text()).toHaveLength(1_002);
  expect(held.bytes).toBe(0);
  const large = posted("a".repeat(70_000));
  await expect(toRequest(large, "http://localhost", limits)).rejects.toThrow(BodyTooLargeError);
  expect(held.bytes).toBe(0);
});

test("the library reads its own cookies alone, and of thousands only the first", () => {
  const cookiesOf = (cookie: string) => toHeaders({ cookie }).get("cookie");
  expect(cookiesOf("a=%; better-auth.session_token=x; b=2;__Secure-better-auth.state=y")).toBe(
    "better-auth.session_token=x;__Secure-better-auth.state=y",
  );
  // The library checks the origin of requests that have a cookie.
  expect(cookiesOf("a=1; xbetter-auth.session_token=x")).toBe("");
  expect(toHeaders({}).has("cookie")).toBe(false);
  const many = Array.from({ length: 1_000 }, (_, number) => `better-auth.${number}=%`);
  expect(cookiesOf(many.join(";"))?.split(";")).toEqual(many.slice(0, 40));
});

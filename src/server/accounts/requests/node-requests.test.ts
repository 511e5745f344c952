import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { BodyTooDeepError, toHeaders, toRequest } from "./node-requests.ts";

function posted(body: string): IncomingMessage {
  return Object.assign(Readable.from([Buffer.from(body)]), {
    method: "POST",
    url: "/api/auth/sign-in/email",
    headers: { "content-type": "application/json" },
    socket: {},
  }) as unknown as IncomingMessage;
}

test("a body that is nested deep is refused before it is parsed", async () => {
  const deep = `{"email":${"[".repeat(30_000)}${"]".repeat(30_000)}}`;
  await expect(toRequest(posted(deep), "http://localhost")).rejects.toThrow(BodyTooDeepError);
  const shallow = `{"email":"[[[[${"[".repeat(100)}","data":{"a":[1]}}`;
  const request = await toRequest(posted(shallow), "http://localhost");
  expect(await request.text()).toBe(shallow);
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

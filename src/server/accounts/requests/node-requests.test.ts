import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { BodyTooDeepError, toRequest } from "./node-requests.ts";

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

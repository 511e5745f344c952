import { expect, test } from "vitest";
import { answerInEqualTime } from "./equal-answer-times.ts";

async function orderOf(path: string): Promise<string[]> {
  const order: string[] = [];
  const over = Promise.withResolvers<void>();
  const answered = answerInEqualTime(
    path,
    async () => order.push("looked up"),
    () => over.promise,
  ).then(() => order.push("answered"));
  for (let turn = 0; turn < 20; turn++) await new Promise((done) => setImmediate(done));
  order.push("time is over");
  over.resolve();
  await answered;
  return order;
}

test("a call that mails is answered once the time of such calls is over, however quick it was", async () => {
  for (const path of ["/request-password-reset", "/send-verification-email/", "/forget-password"]) {
    expect([path, await orderOf(path)]).toEqual([path, ["looked up", "time is over", "answered"]]);
  }
});

test("every other call is answered at once", async () => {
  expect(await orderOf("/sign-in/email")).toEqual(["looked up", "answered", "time is over"]);
});

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fetchBackendToken, replacingSession, setLeaving } from "./backend-token.ts";

const fetched = vi.fn<typeof fetch>();

beforeEach(() => {
  fetched.mockReset();
  fetched.mockImplementation(async () => Response.json({ token: "abc" }));
  vi.stubGlobal("fetch", fetched);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a token comes from the session; without one there is none", async () => {
  expect(await fetchBackendToken()).toEqual({ kind: "token", token: "abc" });
  fetched.mockResolvedValue(new Response(null, { status: 401 }));
  expect(await fetchBackendToken()).toEqual({ kind: "signedOut" });
});

test("a gateway that fails once is asked again", async () => {
  fetched.mockResolvedValueOnce(new Response(null, { status: 502 }));
  expect(await fetchBackendToken()).toEqual({ kind: "token", token: "abc" });
});

test.each([
  ["a network that stays away", () => Promise.reject(new TypeError("Failed to fetch"))],
  ["a server that keeps failing", async () => new Response(null, { status: 503 })],
])("%s is abandoned after ten retries, and no one is signed out", async (_, answer) => {
  vi.useFakeTimers();
  fetched.mockImplementation(answer);
  const asked = fetchBackendToken();
  await vi.runAllTimersAsync();
  expect(await asked).toEqual({ kind: "abandoned" });
  expect(fetched).toHaveBeenCalledTimes(11);
});

test("while a session is replaced the token is asked of its successor", async () => {
  let finish = (): void => undefined;
  const replaced = replacingSession(
    () =>
      new Promise<string>((resolve) => {
        finish = () => resolve("done");
      }),
  );
  const asked = fetchBackendToken();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(fetched).not.toHaveBeenCalled();
  finish();
  expect(await replaced).toBe("done");
  expect(await asked).toEqual({ kind: "token", token: "abc" });
});

test("a replacement that was refused holds no one up", async () => {
  const refused = replacingSession(() => Promise.reject(new Error("refused")));
  const asked = fetchBackendToken();
  await expect(refused).rejects.toThrow("refused");
  expect(await asked).toEqual({ kind: "token", token: "abc" });
});

test("no one asks while the person signs out", async () => {
  setLeaving(true);
  expect(await fetchBackendToken()).toEqual({ kind: "leaving" });
  expect(fetched).not.toHaveBeenCalled();
  setLeaving(false);
});

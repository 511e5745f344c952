import { beforeEach, expect, test, vi } from "vitest";
import { fetchBackendToken, replacingSession, setLeaving } from "./backend-token.ts";

const { token } = vi.hoisted(() => ({ token: vi.fn<() => Promise<unknown>>() }));
vi.mock("./auth-client.ts", () => ({ authClient: { token } }));

beforeEach(() => {
  token.mockReset();
  token.mockResolvedValue({ data: { token: "abc" }, error: null });
});

test("a token comes from the session; without one there is none", async () => {
  expect(await fetchBackendToken()).toEqual({ kind: "token", token: "abc" });
  token.mockResolvedValue({ data: null, error: { status: 401 } });
  expect(await fetchBackendToken()).toEqual({ kind: "signedOut" });
  token.mockResolvedValue({ data: null, error: { status: 500 } });
  expect(await fetchBackendToken()).toEqual({ kind: "abandoned" });
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
  expect(token).not.toHaveBeenCalled();
  finish();
  expect(await replaced).toBe("done");
  expect(await asked).toEqual({ kind: "token", token: "abc" });
});

test("a replacement that was refused holds nobody up", async () => {
  const refused = replacingSession(() => Promise.reject(new Error("refused")));
  const asked = fetchBackendToken();
  await expect(refused).rejects.toThrow("refused");
  expect(await asked).toEqual({ kind: "token", token: "abc" });
});

test("nobody asks while the person signs out", async () => {
  setLeaving(true);
  expect(await fetchBackendToken()).toEqual({ kind: "leaving" });
  expect(token).not.toHaveBeenCalled();
  setLeaving(false);
});

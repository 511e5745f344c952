import type { ConvexReactClient } from "convex/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BackendAuth } from "./backend-auth.ts";
import { tryAgain } from "./session-renewal.ts";

type Fetcher = Parameters<ConvexReactClient["setAuth"]>[0];

const fetched = vi.fn<typeof fetch>();
const tokenOf = (userId: string) => `e30.${btoa(JSON.stringify({ sub: userId }))}.x`;
const offline = () => Promise.reject(new TypeError("Failed to fetch"));
const online = async () => Response.json({ token: tokenOf("anna") });

let page: EventTarget;
beforeEach(() => {
  vi.useFakeTimers();
  page = new EventTarget();
  vi.stubGlobal("fetch", fetched);
  vi.stubGlobal("window", page);
  vi.stubGlobal("document", Object.assign(new EventTarget(), { querySelector: () => null }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The client's side: its token requests, the tokens that it received, and its socket. */
function signedIn() {
  let fetcher: Fetcher | undefined;
  let isWebSocketConnected = true;
  const listeners = new Set<(state: { isWebSocketConnected: boolean }) => void>();
  const signedOut = vi.fn(async () => undefined);
  const auth = new BackendAuth(
    {
      setAuth: (given: Fetcher) => {
        fetcher = given;
      },
      connectionState: () => ({ isWebSocketConnected }),
      subscribeToConnectionState: (listener: (state: object) => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    } as unknown as ConvexReactClient,
    signedOut,
  );
  auth.announce({ userId: "anna", token: null });
  const answered = vi.fn<(token: string | null | undefined) => void>();
  void fetcher?.({ forceRefreshToken: true }).then(answered);
  const socket = (isConnected: boolean) => {
    isWebSocketConnected = isConnected;
    for (const listener of listeners) listener({ isWebSocketConnected });
  };
  return { answered, signedOut, socket, listeners };
}

/** Longer than all retries of one fetch take, and shorter than the pause after it. */
const untilGivenUp = () => vi.advanceTimersByTimeAsync(16_000);

test("a fetch that was given up signs no one out, and is tried again when the network is back", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0.99);
  fetched.mockImplementation(offline);
  const { answered, signedOut } = signedIn();
  await untilGivenUp();
  expect(fetched).toHaveBeenCalledTimes(11);
  fetched.mockImplementation(online);
  expect(answered).not.toHaveBeenCalled();
  page.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(0);
  expect(answered).toHaveBeenCalledWith(tokenOf("anna"));
  expect(signedOut).not.toHaveBeenCalled();
});

test("it is tried again when the client's socket is back", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0.99);
  fetched.mockImplementation(offline);
  const { answered, socket, listeners } = signedIn();
  await untilGivenUp();
  fetched.mockImplementation(online);
  // Its presence or removal means nothing.
  socket(true);
  socket(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(answered).not.toHaveBeenCalled();
  socket(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(answered).toHaveBeenCalledWith(tokenOf("anna"));
  expect(listeners.size).toBe(0);
});

test("where nothing tells that the network is back, the page asks again by itself", async () => {
  fetched.mockImplementation(offline);
  const { answered } = signedIn();
  await untilGivenUp();
  fetched.mockImplementation(online);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(answered).toHaveBeenCalledWith(tokenOf("anna"));
});

test("its viewer may ask for another try", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0.99);
  fetched.mockImplementation(offline);
  const { answered } = signedIn();
  await untilGivenUp();
  fetched.mockImplementation(online);
  tryAgain();
  await vi.advanceTimersByTimeAsync(0);
  expect(answered).toHaveBeenCalledWith(tokenOf("anna"));
});

test("a session that is gone signs out", async () => {
  fetched.mockImplementation(async () => new Response(null, { status: 401 }));
  const { answered, signedOut } = signedIn();
  await vi.advanceTimersByTimeAsync(500);
  expect(signedOut).toHaveBeenCalledOnce();
  expect(answered).toHaveBeenCalledWith(null);
});

test("a session that another window has just replaced goes on", async () => {
  fetched.mockImplementationOnce(async () => new Response(null, { status: 401 }));
  fetched.mockImplementation(online);
  const { answered, signedOut } = signedIn();
  await vi.advanceTimersByTimeAsync(500);
  expect(answered).toHaveBeenCalledWith(tokenOf("anna"));
  expect(signedOut).not.toHaveBeenCalled();
});

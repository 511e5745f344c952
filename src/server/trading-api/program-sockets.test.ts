import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { openFunctionScene } from "#test/support/function-scene.ts";
import { CLIENT_ADDRESS_HEADER } from "../http/client-address.ts";
import { HeldBytes } from "../limits/held-bytes.ts";
import { WorkShares } from "../limits/work-shares.ts";
import { Calls } from "./calls.ts";
import { createProgramSockets } from "./program-sockets.ts";

test.each(["/stream?streams=a/b", "/ws/a/b", "/ws?timeUnit=MICROSECOND", "/ws-api/v3?a=b"])(
  "what %s asks for is read in its client's turn",
  async (url) => {
    const scene = await openFunctionScene();
    onTestFinished(() => scene.close());
    const shares = new WorkShares();
    onTestFinished(() => shares.close());
    const schedule = vi.spyOn(shares, "schedule").mockReturnValue(new Promise(() => {}));
    const sockets = createProgramSockets({
      calls: new Calls(scene.services, shares),
      slots: { all: 10, perAddress: 10 },
      held: new HeldBytes({ all: 1e9, perClient: 1e9 }),
    });
    onTestFinished(() => sockets.close());
    const read = vi.spyOn(URLSearchParams.prototype, "get");
    onTestFinished(() => read.mockRestore());
    const split = vi.spyOn(String.prototype, "split");
    onTestFinished(() => split.mockRestore());
    const request = { url, headers: { [CLIENT_ADDRESS_HEADER]: "192.0.2.1" } };
    const isOurs = sockets.handleUpgrade(
      request as unknown as IncomingMessage,
      new PassThrough(),
      Buffer.alloc(0),
    );
    expect(isOurs).toBe(true);
    expect(schedule).toHaveBeenCalledTimes(1);
    expect(read).not.toHaveBeenCalled();
    expect(split.mock.contexts.filter((text) => String(text).includes("/b"))).toEqual([]);
  },
);

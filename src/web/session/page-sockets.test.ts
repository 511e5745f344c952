import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { INCREMENTS } from "#contract/increments.ts";
import { PageSockets } from "./page-sockets.ts";

/** A socket whose messages the test provides. */
class FakeSocket extends EventTarget {
  static readonly opened: FakeSocket[] = [];
  readonly protocols: readonly string[];
  isClosed = false;

  constructor(_url: string, protocols: readonly string[]) {
    super();
    this.protocols = protocols;
    FakeSocket.opened.push(this);
  }

  close(): void {
    this.isClosed = true;
  }

  receive(data: string): void {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }
}

beforeEach(() => {
  FakeSocket.opened.length = 0;
  vi.stubGlobal("WebSocket", FakeSocket);
});
afterEach(() => vi.unstubAllGlobals());

/** A client's socket, and the messages that the client receives on it. */
function open(sockets: PageSockets) {
  const socket = new sockets.constructorForClient("wss://exchange.example/api/1.48.0/sync");
  const [received, closed]: [string[], string[]] = [[], []];
  socket.addEventListener("message", (event: MessageEvent<string>) => received.push(event.data));
  socket.addEventListener("close", ({ reason }) => closed.push(reason));
  const fake = FakeSocket.opened.at(-1);
  if (fake === undefined) throw new Error("no socket was opened");
  return { fake, received, closed };
}

function transition(...modifications: string[]): string {
  const lengths = modifications.map(({ length }) => length).join(",");
  return `{"type":"Transition","lengths":[${lengths}],"endVersion":{"ts":"A"},"modifications":[${modifications.join(",")}]}`;
}

const WHOLE = `{"type":"QueryUpdated","queryId":4,"value":["one","two"],"logLines":[],"journal":null}`;
const TAIL_LENGTH = WHOLE.length - `{"type":"QueryUpdated","queryId":4`.length;

test("the client is given whole answers", () => {
  const { fake, received } = open(new PageSockets());
  expect(fake.protocols).toEqual([INCREMENTS]);
  fake.receive(`{"type":"Ping"}`);
  fake.receive(transition(WHOLE));
  const before = `,"value":["one",`.length;
  const after = before + `"two"`.length;
  const change = [TAIL_LENGTH + 2, 0, before, `"three"`, after - before, TAIL_LENGTH - after];
  fake.receive(
    transition(`{"type":"QueryChanged","queryId":4,"change":${JSON.stringify(change)}}`),
  );
  expect(received.map((text) => JSON.parse(text) as object)).toEqual([
    { type: "Ping" },
    { type: "Transition", endVersion: { ts: "A" }, modifications: [JSON.parse(WHOLE)] },
    {
      type: "Transition",
      endVersion: { ts: "A" },
      modifications: [{ ...(JSON.parse(WHOLE) as object), value: ["one", "three"] }],
    },
  ]);
});

test.each([
  ["of an answer that was never sent", `{"type":"QueryChanged","queryId":9,"change":[2,"{}"]}`],
  ["that leads to another text", `{"type":"QueryChanged","queryId":4,"change":[99,0,5]}`],
])("a change %s reconnects, without increments", (_, modification) => {
  const sockets = new PageSockets();
  const { fake, received, closed } = open(sockets);
  fake.receive(transition(WHOLE));
  fake.receive(transition(modification));
  expect(received).toHaveLength(1);
  expect(fake.isClosed).toBe(true);
  expect(closed).toEqual(["UnreadableIncrement"]);
  expect(open(sockets).fake.protocols).toEqual([]);
});

test("a removed query begins with a whole answer when it comes back", () => {
  const { fake, received } = open(new PageSockets());
  fake.receive(transition(WHOLE));
  fake.receive(transition(`{"type":"QueryRemoved","queryId":4}`));
  fake.receive(transition(WHOLE));
  expect(received).toHaveLength(3);
});

test("abandoned sockets close at once for the client", () => {
  const sockets = new PageSockets();
  const { fake, closed } = open(sockets);
  sockets.giveUp();
  expect(fake.isClosed).toBe(true);
  expect(closed).toEqual(["SilentConnection"]);
});

/** The states in which `npm run screenshots` shows a page, and how a page is held in one. */
import type { Page, WebSocketRoute } from "playwright-core";

/** `offline`: complete, and then its connection breaks. */
export const STATES = ["loading", "empty", "full", "error", "offline"] as const;
export type State = (typeof STATES)[number];

const SYNC = /\/api\/[^/]+\/sync/;
/** Of the frame around every page: without them there is no page to look at. */
const FRAME = new Set(["users:current", "venue:info", "venue:time"]);
const SENTENCE = "The exchange could not read this. Try again in a moment.";

interface Message {
  readonly type: string;
  readonly modifications?: readonly {
    readonly type: string;
    readonly queryId: number;
    readonly udfPath?: string;
  }[];
}

interface Rules {
  /** From now on the page is held in the state. */
  readonly begin: (state: State) => void;
}

/**
 * Between the page and its server, for sockets and requests that begin later: lets everything pass until a state
 * begins. A page that loads gets no answers but the frame's, one in error has each refused, one that is offline
 * loses its connection whenever it has one.
 */
export async function standBetween(page: Page): Promise<Rules> {
  let held: State = "full";
  const sockets = new Set<WebSocketRoute>();
  await page.routeWebSocket(SYNC, (socket) => {
    if (held === "offline") {
      void socket.close();
      return;
    }
    sockets.add(socket);
    const server = socket.connectToServer();
    const frame = new Set<number>();
    socket.onMessage((text) => {
      const { modifications = [] } = JSON.parse(String(text)) as Message;
      for (const { queryId, udfPath = "" } of modifications) {
        if (FRAME.has(udfPath)) frame.add(queryId);
      }
      server.send(text);
    });
    server.onMessage((text) => {
      const isHeld = held === "loading" || held === "error";
      const passed = isHeld ? changed(String(text), held, frame) : text;
      if (passed !== null) socket.send(passed);
    });
  });
  await page.route(/\/api\/(?!auth\/(token|get-session))/, async (route) => {
    if (held === "offline") await route.abort();
    else if (held === "error") await route.fulfill({ status: 503, body: SENTENCE });
    // Without an answer the request waits.
    else if (held !== "loading") await route.continue();
  });
  return {
    begin(state) {
      held = state;
      if (state === "offline") for (const socket of sockets) void socket.close();
    },
  };
}

/** What the page receives of a message of the server; null if nothing. */
function changed(text: string, held: State, frame: ReadonlySet<number>): string | null {
  const message = JSON.parse(text) as Message;
  const refusal = { errorMessage: SENTENCE, logLines: [] };
  if (message.type === "ActionResponse") {
    return held === "loading"
      ? null
      : JSON.stringify({ ...message, success: false, result: SENTENCE });
  }
  if (message.type !== "Transition") return text;
  const kept = (message.modifications ?? []).flatMap((each) => {
    if (frame.has(each.queryId) || each.type === "QueryRemoved") return [each];
    return held === "loading" ? [] : [{ type: "QueryFailed", queryId: each.queryId, ...refusal }];
  });
  return JSON.stringify({ ...message, modifications: kept });
}

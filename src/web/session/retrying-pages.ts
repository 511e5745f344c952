/**
 * Navigation to pages whose code is not loaded yet, while the server is unreachable. The router
 * would reload the whole page, and the browser would show its own error page. Instead the current
 * page stays, shows a message, and the other page opens as soon as the server is back.
 */
import { isServerThere } from "../ui/retrying-loader.ts";
import { showToast } from "../ui/toast.ts";
import type { PageConnection } from "./connection-watch.ts";

const ASK_AGAIN_MS_MIN = 500;
const ASK_AGAIN_MS_MAX = 4_000;

/** The part of the router used here; without `preload` the page's code is already loaded. */
interface Pages {
  readonly routesById: object;
  readonly state: { readonly status: "pending" | "idle" };
}

interface PageRoute {
  readonly options: { readonly component?: object | undefined };
}

interface WatchedConnection {
  readonly watch?: Pick<NonNullable<PageConnection["watch"]>, "read">;
}

interface CodeOfPage {
  preload?: (() => Promise<void>) | undefined;
}

/**
 * Makes every further page wait for the server before it loads its code. Call it when the first
 * page's code is loaded.
 */
export function loadPagesWithRetries(
  router: Pages,
  connection: WatchedConnection | undefined,
): void {
  let waiting: Promise<void> | undefined;
  const untilServerAnswers = (): Promise<void> => {
    waiting ??= waitForServer(router, connection).finally(() => {
      waiting = undefined;
    });
    return waiting;
  };
  for (const { options } of Object.values<PageRoute>({ ...router.routesById })) {
    const page: CodeOfPage | undefined = options.component;
    const load = page?.preload;
    if (page === undefined || load === undefined) continue;
    page.preload = async () => {
      await untilServerAnswers();
      await load();
    };
  }
}

async function waitForServer(
  router: Pages,
  connection: WatchedConnection | undefined,
): Promise<void> {
  let waitMs = ASK_AGAIN_MS_MIN;
  let isAnnounced = false;
  for (;;) {
    // A recent heartbeat shows that the server is reachable, without a request.
    if (connection?.watch?.read().kind === "live" || (await isServerThere())) return;
    // Hovering over a link preloads its page as well, but no user waits for that.
    if (!isAnnounced && router.state.status === "pending") {
      isAnnounced = true;
      showToast("info", "No connection", "The page opens as soon as the exchange can be reached.");
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    waitMs = Math.min(waitMs * 2, ASK_AGAIN_MS_MAX);
  }
}

import type { ConvexReactClient } from "convex/react";
import type { ConnectionWatch } from "./connection-watch.ts";

/** A page's live connection. */
export interface PageConnection {
  readonly client: ConvexReactClient;
  /** Makes the client connect anew, where its socket was found to be dead. */
  readonly giveUpSockets: () => void;
  /** Once something on the page has asked for the state of the connection. */
  watch?: ConnectionWatch;
}

/** The messages between the main thread and the rendering thread. */
import type { PageContext, PageSession } from "#contract/page-context.ts";

/** The page context's fields that can be copied to the thread; the session is requested when needed. */
export type CopiedContext = Omit<PageContext, "session">;

export interface RenderRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  /**
   * The header value with which the page's requests to this server identify its visitor; see
   * own-requests.ts.
   */
  readonly onBehalf: string;
  readonly context: CopiedContext;
}

export type ToRenderWorker =
  | { readonly type: "render"; readonly id: number; readonly request: RenderRequest }
  | { readonly type: "session"; readonly id: number; readonly session: PageSession | null }
  | { readonly type: "noSession"; readonly id: number; readonly message: string }
  /** The caller has left: stop rendering. */
  | { readonly type: "abort"; readonly id: number };

export type FromRenderWorker =
  | { readonly type: "ready" }
  | { readonly type: "needsSession"; readonly id: number }
  | {
      readonly type: "head";
      readonly id: number;
      readonly status: number;
      readonly headers: readonly (readonly [string, string])[];
    }
  | { readonly type: "chunk"; readonly id: number; readonly chunk: Uint8Array }
  | { readonly type: "end"; readonly id: number }
  | { readonly type: "failed"; readonly id: number; readonly error: string };

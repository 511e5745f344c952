import { ConvexProvider, type ConvexReactClient } from "convex/react";
import { type ReactNode, useEffect } from "react";
import type { BackendAuth } from "./backend-auth.ts";
import { OneTimeLink } from "./one-time-link.tsx";

interface SessionProviderProps {
  readonly client: ConvexReactClient;
  /** Undefined while rendering on the server, where queries use HTTP. */
  readonly auth: BackendAuth | undefined;
  readonly userId: string | null;
  readonly token: string | null;
  readonly children: ReactNode;
}

/** Provides the reactive client to the page, and sets its viewer. */
export function SessionProvider({ client, auth, userId, token, children }: SessionProviderProps) {
  useEffect(() => auth?.announce({ userId, token }), [auth, userId, token]);

  return (
    <ConvexProvider client={client}>
      {children}
      <OneTimeLink userId={userId} />
    </ConvexProvider>
  );
}

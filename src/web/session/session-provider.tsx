import { useRouter } from "@tanstack/react-router";
import { ConvexProvider, type ConvexReactClient } from "convex/react";
import { type ReactNode, useEffect } from "react";
import type { BackendAuth } from "./backend-auth.ts";
import { verifyOneTimeToken } from "./backend-token.ts";

interface SessionProviderProps {
  readonly client: ConvexReactClient;
  /** Undefined while rendering on the server, where queries go by HTTP. */
  readonly auth: BackendAuth | undefined;
  readonly userId: string | null;
  readonly token: string | null;
  readonly children: ReactNode;
}

/** Hands the page the reactive client, and tells that client who looks. */
export function SessionProvider({ client, auth, userId, token, children }: SessionProviderProps) {
  const router = useRouter();

  useEffect(() => auth?.announce({ userId, token }), [auth, userId, token]);

  useEffect(() => {
    const address = new URL(window.location.href);
    const oneTimeToken = address.searchParams.get("ott");
    if (oneTimeToken === null) return;
    address.searchParams.delete("ott");
    void verifyOneTimeToken(oneTimeToken).then((signedIn) => {
      // A whole new page: everything on this one was rendered for nobody.
      if (signedIn) window.location.replace(address);
      else router.history.replace(address.pathname + address.search + address.hash);
    });
  }, [router]);

  return <ConvexProvider client={client}>{children}</ConvexProvider>;
}

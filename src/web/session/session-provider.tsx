import { type ConvexQueryClient } from "@convex-dev/react-query";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { ConvexProvider } from "convex/react";
import { type ReactNode, useEffect, useRef } from "react";
import { fetchBackendToken, verifyOneTimeToken } from "./backend-token.ts";
import { setTokenAbandoned } from "./connection.ts";
import { viewerQuery } from "./page-session.ts";

interface SessionProviderProps {
  readonly backend: ConvexQueryClient;
  readonly userId: string | null;
  readonly token: string | null;
  readonly children: ReactNode;
}

/**
 * Tells the reactive backend who looks at the page, and keeps telling it as tokens expire. The
 * client holds everything back until then, so visitors say explicitly that they are nobody.
 */
export function SessionProvider({ backend, userId, token, children }: SessionProviderProps) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const firstToken = useRef(token);
  firstToken.current = token;

  useEffect(() => {
    const client = backend.convexClient;
    if (userId === null) {
      client.setAuth(() => Promise.resolve(null));
      return;
    }
    let cached = firstToken.current;
    client.setAuth(async ({ forceRefreshToken }) => {
      if (!forceRefreshToken && cached !== null) {
        const rendered = cached;
        cached = null;
        return rendered;
      }
      const answer = await fetchBackendToken();
      setTokenAbandoned(answer.kind === "abandoned");
      if (answer.kind === "token") return answer.token;
      if (answer.kind === "signedOut") {
        await queryClient.invalidateQueries({ queryKey: viewerQuery.queryKey, refetchType: "none" });
        queryClient.removeQueries({ queryKey: viewerQuery.queryKey });
        await router.invalidate();
      }
      return null;
    });
  }, [backend, queryClient, router, userId]);

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

  return <ConvexProvider client={backend.convexClient}>{children}</ConvexProvider>;
}

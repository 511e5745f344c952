import { useRouter } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { PanelBoundary } from "../ui/panel-boundary.tsx";
import { toastError } from "../ui/toast.ts";
import { verifyOneTimeToken } from "./backend-token.ts";
import { destinationOf, oneTimeTokenOf, withoutOneTimeToken } from "./one-time-token.ts";

const ReplaceSessionDialog = lazyComponent(() => import("./replace-session-dialog.tsx"));

/** Signs in by a token in the page's address, which then leaves the address; asks who is signed in. */
export function OneTimeSignIn({ userId }: { readonly userId: string | null }) {
  const router = useRouter();
  const [asked, setAsked] = useState<string | null>(null);
  const isTaken = useRef(false);

  const signIn = useCallback(async (token: string, destination: string) => {
    // A whole new page: everything on this one was rendered for another user.
    if (await verifyOneTimeToken(token)) window.location.replace(destination);
    else toastError("This sign-in link is no longer valid", "Ask for a new one, or sign in here.");
  }, []);

  useEffect(() => {
    const { href } = router.history.location;
    const token = oneTimeTokenOf(href);
    if (token === null || isTaken.current) return;
    isTaken.current = true;
    // At once: the token is of no use in an address that is copied or returned to.
    router.history.replace(withoutOneTimeToken(href));
    if (userId === null) void signIn(token, destinationOf(href));
    else void Promise.resolve(token).then(setAsked);
  }, [router, userId, signIn]);

  if (asked === null) return null;
  return (
    <PanelBoundary>
      <ReplaceSessionDialog
        onReplace={() => {
          setAsked(null);
          void signIn(asked, destinationOf(router.history.location.href));
        }}
        onKeep={() => setAsked(null)}
      />
    </PanelBoundary>
  );
}

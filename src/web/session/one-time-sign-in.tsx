import { useRouter } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";
import { toastError } from "../ui/toast.ts";
import { verifyOneTimeToken } from "./backend-token.ts";
import { destinationOf } from "./one-time-token.ts";
import { ReplaceSessionDialog } from "./replace-session-dialog.tsx";

interface OneTimeSignInProps {
  readonly token: string;
  /** Whether a user is already signed in; they are asked before their session is replaced. */
  readonly isSignedIn: boolean;
}

/** Signs in with a one-time token, then opens the page. Loaded lazily, hence the default export. */
export default function OneTimeSignIn({ token, isSignedIn }: OneTimeSignInProps) {
  const router = useRouter();
  const [isAsking, setIsAsking] = useState(isSignedIn);

  const signIn = useCallback(async () => {
    const destination = destinationOf(router.history.location.href);
    // A full page load, because everything on this page was rendered for another user.
    if (await verifyOneTimeToken(token)) window.location.replace(destination);
    else toastError("This sign-in link is no longer valid", "Ask for a new one, or sign in here.");
  }, [router, token]);

  useEffect(() => {
    if (!isSignedIn) void signIn();
  }, [isSignedIn, signIn]);

  if (!isAsking) return null;
  return (
    <ReplaceSessionDialog
      onReplace={() => {
        setIsAsking(false);
        void signIn();
      }}
      onKeep={() => setIsAsking(false)}
    />
  );
}

import { useRouter } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { toastError } from "../ui/toast.ts";
import { verifyOneTimeToken } from "./backend-token.ts";
import { destinationOf } from "./one-time-token.ts";

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

  return (
    <ConfirmDialog
      open={isAsking}
      title="Sign in with this link?"
      // The link may come from an attacker who wants this browser signed in to their own account.
      text="You are signed in already. This link signs this browser in to the account that it was made for, which may be another one. Continue only if you asked for it."
      confirmLabel="Use the link"
      cancelLabel="Stay signed in"
      onConfirm={() => {
        setIsAsking(false);
        void signIn();
      }}
      onCancel={() => setIsAsking(false)}
    />
  );
}

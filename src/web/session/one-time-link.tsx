import { useRouter } from "@tanstack/react-router";
import { type ComponentProps, useEffect, useState } from "react";
import { retryingLoader } from "../ui/retrying-loader.ts";
import { toastError } from "../ui/toast.ts";
import { oneTimeTokenOf, withoutOneTimeToken } from "./one-time-token.ts";
import type OneTimeSignIn from "./one-time-sign-in.tsx";

const loadSignIn = retryingLoader(() => import("./one-time-sign-in.tsx"));

interface OpenedResources extends ComponentProps<typeof OneTimeSignIn> {
  readonly SignIn: typeof OneTimeSignIn;
}

/**
 * Signs in with the one-time token in the page's URL, and removes it from there. The sign-in
 * code is loaded only if there is a token.
 */
export function OneTimeLink({ userId }: { readonly userId: string | null }) {
  const router = useRouter();
  const [opened, setOpened] = useState<OpenedResources | null>(null);

  useEffect(() => {
    const { href } = router.history.location;
    const token = oneTimeTokenOf(href);
    if (token === null) return;
    // Immediately: the token works once, and a URL with it may be copied or returned to.
    router.history.replace(withoutOneTimeToken(href));
    loadSignIn().then(
      ({ default: SignIn }) => setOpened({ SignIn, token, isSignedIn: userId !== null }),
      () => toastError("The sign-in link could not be used", "Open it again."),
    );
  }, [router, userId]);

  if (opened === null) return null;
  const { SignIn, token, isSignedIn } = opened;
  return <SignIn key={token} token={token} isSignedIn={isSignedIn} />;
}

import { Link, useLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { returnFromLogin } from "./guards.ts";

interface SignInLinkProps {
  readonly to: "/login" | "/signup";
  readonly className?: string;
  readonly "data-entrance"?: boolean;
  readonly children: ReactNode;
}

/** A link to the sign-in or sign-up page; the user returns to the current page afterwards. */
export function SignInLink(props: SignInLinkProps) {
  const currentHref = useLocation({ select: ({ href }) => href });
  return <Link {...props} search={returnFromLogin(currentHref)} />;
}

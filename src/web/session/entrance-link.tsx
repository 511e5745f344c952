import { Link, useLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { returnFromLogin } from "./guards.ts";

interface EntranceLinkProps {
  readonly to: "/login" | "/signup";
  readonly className?: string;
  readonly "data-entrance"?: boolean;
  readonly children: ReactNode;
}

/** Leads to signing in or up, and from there back to the page that it stands on. */
export function EntranceLink(props: EntranceLinkProps) {
  const address = useLocation({ select: ({ href }) => href });
  return <Link {...props} search={returnFromLogin(address)} />;
}

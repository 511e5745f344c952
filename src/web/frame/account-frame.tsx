import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { LazyToaster } from "./lazy-toaster.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import { SkipLink } from "./skip-link.tsx";
import { Wordmark } from "./wordmark.tsx";

/** Around the forms for signing in and up. */
export function AccountFrame(props: {
  readonly productName: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header className="flex h-14 items-center px-4 sm:px-6">
        <Link to="/" className="flex min-w-0 rounded-sm">
          <Wordmark name={props.productName} />
        </Link>
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="flex flex-1 items-start justify-center px-4 pb-16 pt-[8vh] outline-none"
      >
        {props.children}
      </main>
      <LazyToaster />
      <LeaveGuard />
    </div>
  );
}

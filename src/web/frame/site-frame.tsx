import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { buttonClass } from "../ui/button.tsx";
import { SkipLink } from "./skip-link.tsx";
import { useSite } from "../session/site.ts";
import { Wordmark } from "./wordmark.tsx";

interface SiteFrameProps {
  readonly productName: string;
  readonly signedIn: boolean;
  readonly children: ReactNode;
}

const SECTIONS = [
  { href: "#coins", label: "Coins" },
  { href: "#plans", label: "Plans" },
  { href: "#how-it-works", label: "How it works" },
  { href: "#questions", label: "Questions" },
] as const;

/** Header and footer of the public site. */
export function SiteFrame({ productName, signedIn, children }: SiteFrameProps) {
  const { offers } = useSite();
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header className="sticky top-0 z-30 border-b bg-page">
        <div className="mx-auto flex h-14 max-w-6xl items-center gap-6 px-4 sm:px-6">
          <Link to="/" className="flex min-w-0 rounded-sm">
            <Wordmark name={productName} />
          </Link>
          <nav aria-label="Sections" className="hidden flex-1 gap-5 text-sm text-muted md:flex">
            {SECTIONS.map(({ href, label }) => (
              <a key={href} href={href} className="rounded-sm hover:text-text">
                {label}
              </a>
            ))}
          </nav>
          <div className="ml-auto flex items-center gap-2">
            {signedIn ? (
              <Link to="/dashboard" className={buttonClass({ variant: "primary" })}>
                Dashboard
              </Link>
            ) : (
              <>
                <Link to="/login" className={buttonClass({ variant: "ghost" })}>
                  Sign in
                </Link>
                {offers.signUp ? (
                  <Link to="/signup" className={buttonClass({ variant: "primary" })}>
                    Sign up
                  </Link>
                ) : null}
              </>
            )}
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <footer className="border-t">
        <div className="mx-auto flex max-w-6xl flex-col gap-4 px-4 py-8 text-xs text-muted sm:flex-row sm:items-start sm:justify-between sm:px-6">
          <div className="max-w-md">
            <Wordmark name={productName} />
            <p className="mt-2 text-faint">
              Prices and participants marked SIMULATED are made by software and have no value
              outside this exchange. Nothing here is an offer or advice.
            </p>
          </div>
          <nav aria-label="Footer" className="flex flex-wrap gap-x-5 gap-y-2">
            {SECTIONS.map(({ href, label }) => (
              <a key={href} href={href} className="rounded-sm hover:text-text">
                {label}
              </a>
            ))}
            {signedIn ? null : (
              <Link to="/login" className="rounded-sm hover:text-text">
                Sign in
              </Link>
            )}
          </nav>
        </div>
      </footer>
    </div>
  );
}

import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { VenueInfo } from "#contract/types.ts";
import { FundsBadge, SimulatedBadge } from "../ui/badge.tsx";
import { buttonClass } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { SkipLink } from "./skip-link.tsx";
import { useSite } from "../session/site.ts";
import { Wordmark } from "./wordmark.tsx";

/** The content of the header's end: a link to sign in, a link to the app, or nothing. */
export type Entrance = "signIn" | "dashboard" | "none";

interface SiteFrameProps {
  readonly productName: string;
  readonly entrance: Entrance;
  /** For the badges that show whether markets are simulated and money can be deposited. */
  readonly venue?: Pick<VenueInfo, "funds" | "simulated">;
  /** Classes of the main element, such as to centre a single form. */
  readonly mainClassName?: string;
  readonly children: ReactNode;
}

/** Links to sections of the landing page; absolute paths, because the frame also surrounds other pages. */
const SECTIONS = [
  { href: "/#coins", label: "Coins" },
  { href: "/#plans", label: "Plans" },
  { href: "/#how-it-works", label: "How it works" },
  { href: "/#questions", label: "Questions" },
] as const;

/** Header and footer of the public site. */
export function SiteFrame({
  productName,
  entrance,
  venue,
  mainClassName,
  children,
}: SiteFrameProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header className="sticky top-0 z-30 border-b bg-page">
        <div className="mx-auto flex h-14 max-w-6xl items-center gap-2 px-4 sm:gap-6 sm:px-6">
          <Link to="/" className="touchable flex min-w-0 rounded-sm">
            <Wordmark name={productName} />
          </Link>
          <nav
            aria-label="Sections"
            className="hidden flex-1 gap-3 whitespace-nowrap text-sm text-muted md:flex lg:gap-5"
          >
            <Link to="/trade" className="rounded-sm hover:text-text">
              Trade
            </Link>
            {SECTIONS.map(({ href, label }) => (
              <a key={href} href={href} className="rounded-sm hover:text-text">
                {label}
              </a>
            ))}
          </nav>
          <div className="ml-auto flex shrink-0 items-center gap-1 sm:gap-2">
            {venue?.simulated === true ? <SimulatedBadge className="sm:mr-2" /> : null}
            {venue === undefined ? null : (
              <FundsBadge funds={venue.funds} isSimulated={venue.simulated} />
            )}
            {entrance === "none" ? null : <EntranceButtons entrance={entrance} />}
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1} className={classNames("flex-1 outline-none", mainClassName)}>
        {children}
      </main>
      <footer className="border-t">
        <div className="mx-auto flex max-w-6xl flex-col gap-4 px-4 py-8 text-xs text-muted sm:flex-row sm:items-start sm:justify-between sm:px-6">
          <div className="max-w-md">
            <Wordmark name={productName} />
            <p className="mt-2 text-faint">
              {venue?.simulated === true
                ? "Prices and participants marked SIMULATED are made by software and have no value outside this exchange. "
                : null}
              Nothing here is an offer or advice.
            </p>
          </div>
          <nav
            aria-label="Footer"
            className="flex flex-wrap gap-x-5 gap-y-2 pointer-coarse:gap-y-4"
          >
            {SECTIONS.map(({ href, label }) => (
              <a key={href} href={href} className="touchable rounded-sm hover:text-text">
                {label}
              </a>
            ))}
            <Link to="/documents" className="touchable rounded-sm hover:text-text">
              API documents
            </Link>
            <Link to="/solvency" className="touchable rounded-sm hover:text-text">
              Solvency
            </Link>
            {entrance !== "signIn" ? null : (
              <Link to="/login" className="touchable rounded-sm hover:text-text">
                Sign in
              </Link>
            )}
          </nav>
        </div>
      </footer>
    </div>
  );
}

function EntranceButtons({ entrance }: { readonly entrance: "signIn" | "dashboard" }) {
  const { offers } = useSite();
  if (entrance === "dashboard") {
    return (
      <Link to="/dashboard" className={buttonClass({ variant: "primary" })}>
        Dashboard
      </Link>
    );
  }
  return (
    <>
      <Link to="/login" className={classNames(buttonClass({ variant: "ghost" }), "max-sm:px-2!")}>
        Sign in
      </Link>
      {offers.signUp ? (
        <Link
          to="/signup"
          className={classNames(buttonClass({ variant: "primary" }), "max-sm:px-3!")}
        >
          Sign up
        </Link>
      ) : null}
    </>
  );
}

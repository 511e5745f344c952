import { Link } from "@tanstack/react-router";
import {
  Activity,
  CandlestickChart,
  House,
  LayoutDashboard,
  LogIn,
  PieChart,
  Settings,
  UserPlus,
} from "lucide-react";
import type { ReactNode } from "react";
import { SignInLink } from "../session/sign-in-link.tsx";

const PAGES = [
  { to: "/dashboard", label: "Dashboard", icon: LayoutDashboard },
  { to: "/trade", label: "Trade", icon: CandlestickChart },
  { to: "/portfolio", label: "Portfolio", icon: PieChart },
  { to: "/activity", label: "Activity", icon: Activity },
] as const;

export const PHONE_PAGES = [
  ...PAGES,
  { to: "/settings", label: "Settings", icon: Settings },
] as const;

export const ADMIN_PAGES = [...PAGES, { to: "/admin", label: "Admin" }] as const;

const TOP_LINK =
  "flex items-center border-y-2 border-transparent px-2 text-sm text-muted transition-colors lg:px-3 hover:text-text focus-visible:-outline-offset-2 aria-[current=page]:border-b-accent aria-[current=page]:font-medium aria-[current=page]:text-text";

const BOTTOM_LINK =
  "flex h-14 flex-col items-center justify-center gap-1 text-2xs text-muted focus-visible:-outline-offset-2 aria-[current=page]:text-accent";

/** Navigation for signed-in users, in the top bar. */
export function TopNavigation({ isAdmin }: { readonly isAdmin: boolean }) {
  return (
    <nav aria-label="Pages" className="hidden h-full items-stretch md:flex lg:gap-1">
      {(isAdmin ? ADMIN_PAGES : PAGES).map(({ to, label }) => (
        <Link key={to} to={to} className={TOP_LINK}>
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** Navigation for signed-in users at the bottom of phones, within reach of the thumb. */
export function BottomNavigation() {
  return (
    <BottomBar>
      {PHONE_PAGES.map(({ to, label, icon: Icon }) => (
        <Link key={to} to={to} className={BOTTOM_LINK}>
          <Icon className="size-5" aria-hidden />
          {label}
        </Link>
      ))}
    </BottomBar>
  );
}

/** Navigation for visitors, in the top bar. */
export function VisitorTopNavigation() {
  return (
    <nav aria-label="Pages" className="hidden h-full items-stretch md:flex lg:gap-1">
      <Link to="/trade" className={TOP_LINK}>
        Trade
      </Link>
      <Link to="/" hash="coins" className={TOP_LINK}>
        Coins
      </Link>
      <Link to="/" hash="plans" className={TOP_LINK}>
        Plans
      </Link>
    </nav>
  );
}

/** Navigation for visitors on phones, with a link to sign in. */
export function VisitorBottomNavigation({ offersSignUp }: { readonly offersSignUp: boolean }) {
  return (
    <BottomBar>
      <Link to="/" className={BOTTOM_LINK}>
        <House className="size-5" aria-hidden />
        Home
      </Link>
      <Link to="/trade" className={BOTTOM_LINK}>
        <CandlestickChart className="size-5" aria-hidden />
        Trade
      </Link>
      <SignInLink to="/login" className={BOTTOM_LINK}>
        <LogIn className="size-5" aria-hidden />
        Sign in
      </SignInLink>
      {offersSignUp ? (
        <SignInLink to="/signup" className={BOTTOM_LINK}>
          <UserPlus className="size-5" aria-hidden />
          Sign up
        </SignInLink>
      ) : null}
    </BottomBar>
  );
}

function BottomBar({ children }: { readonly children: ReactNode }) {
  return (
    <nav
      aria-label="Pages"
      className="fixed inset-x-0 bottom-0 z-30 grid auto-cols-fr grid-flow-col border-t bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {children}
    </nav>
  );
}

import { Link } from "@tanstack/react-router";
import { Activity, CandlestickChart, LayoutDashboard, PieChart, Settings } from "lucide-react";

const PAGES = [
  { to: "/dashboard", label: "Dashboard", icon: LayoutDashboard },
  { to: "/trade", label: "Trade", icon: CandlestickChart },
  { to: "/portfolio", label: "Portfolio", icon: PieChart },
  { to: "/activity", label: "Activity", icon: Activity },
] as const;

const PHONE_PAGES = [...PAGES, { to: "/settings", label: "Settings", icon: Settings }] as const;

const ADMIN_PAGES = [...PAGES, { to: "/admin", label: "Admin" }] as const;

/** The pages of the exchange, in the top bar. */
export function TopNavigation({ isAdmin }: { readonly isAdmin: boolean }) {
  return (
    <nav aria-label="Pages" className="hidden h-full items-stretch gap-1 md:flex">
      {(isAdmin ? ADMIN_PAGES : PAGES).map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          className="flex items-center border-y-2 border-transparent px-3 text-sm text-muted transition-colors hover:text-text focus-visible:-outline-offset-2 aria-[current=page]:border-b-accent aria-[current=page]:font-medium aria-[current=page]:text-text"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** The same at the thumb's height on phones. */
export function BottomNavigation() {
  return (
    <nav
      aria-label="Pages"
      className="fixed inset-x-0 bottom-0 z-30 grid grid-cols-5 border-t bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {PHONE_PAGES.map(({ to, label, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          className="flex h-14 flex-col items-center justify-center gap-1 text-2xs text-muted focus-visible:-outline-offset-2 aria-[current=page]:text-accent"
        >
          <Icon className="size-5" aria-hidden />
          {label}
        </Link>
      ))}
    </nav>
  );
}

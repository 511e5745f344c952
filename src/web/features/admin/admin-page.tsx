import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { Page } from "../../frame/page.tsx";

const SECTIONS = [
  { to: "/admin", label: "Overview" },
  { to: "/admin/users", label: "Users" },
  { to: "/admin/markets", label: "Markets" },
  { to: "/admin/coins", label: "Coins" },
  { to: "/admin/plans", label: "Plans" },
  { to: "/admin/adjustments", label: "Adjustments" },
  { to: "/admin/transfers", label: "Transfers" },
  { to: "/admin/audit", label: "Audit log" },
  { to: "/admin/mail", label: "Mail" },
] as const;

/** Layout of the administration pages, with links between them. */
export function AdminPage({ children }: { readonly children: ReactNode }) {
  const sections = useRef<HTMLElement>(null);
  // Phones show a part of the strip: it begins where the page is.
  useEffect(() => {
    const current = sections.current?.querySelector("[aria-current=page]");
    current?.scrollIntoView({ block: "nearest", inline: "center" });
  }, []);
  return (
    <Page title="Administration">
      <nav
        ref={sections}
        aria-label="Administration"
        className="mb-4 flex gap-1 overflow-x-auto border-b [scrollbar-width:none] max-md:pr-8 max-md:mask-r-from-[calc(100%-3rem)]"
      >
        {SECTIONS.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            // Exact, since the URLs of all administration pages start with the overview's.
            activeOptions={{ exact: to === "/admin" }}
            className="flex h-9 shrink-0 items-center border-b-2 border-transparent px-3 text-sm text-muted transition-colors hover:text-text focus-visible:-outline-offset-2 aria-[current=page]:border-b-accent aria-[current=page]:font-medium aria-[current=page]:text-text"
          >
            {label}
          </Link>
        ))}
      </nav>
      {children}
    </Page>
  );
}

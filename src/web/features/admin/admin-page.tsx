import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Page } from "../../frame/page.tsx";

const SECTIONS = [
  { to: "/admin/users", label: "Users" },
  { to: "/admin/audit", label: "Audit log" },
  { to: "/admin/mail", label: "Mail" },
] as const;

interface AdminPageProps {
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A page of administrators, with the way to the others. */
export function AdminPage({ aside, children }: AdminPageProps) {
  return (
    <Page title="Administration" aside={aside}>
      <nav aria-label="Administration" className="mb-4 flex gap-1 border-b">
        {SECTIONS.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            className="-mb-px flex h-9 items-center border-b-2 border-transparent px-3 text-sm text-muted transition-colors hover:text-text focus-visible:-outline-offset-2 aria-[current=page]:border-b-accent aria-[current=page]:font-medium aria-[current=page]:text-text"
          >
            {label}
          </Link>
        ))}
      </nav>
      {children}
    </Page>
  );
}

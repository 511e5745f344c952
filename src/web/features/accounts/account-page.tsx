import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

interface AccountPageProps {
  readonly title: string;
  readonly text?: ReactNode;
  /** Below the card, such as the way to the other form. */
  readonly below?: ReactNode;
  readonly children: ReactNode;
}

/** A card in the middle of the page, for signing in and what belongs to it. */
export function AccountPage({ title, text, below, children }: AccountPageProps) {
  return (
    <div className="w-full max-w-sm">
      <div className="rounded-lg border bg-surface p-6">
        <h1 className="text-lg font-semibold tracking-tight">{title}</h1>
        {text === undefined ? null : <p className="mt-1 text-sm text-muted">{text}</p>}
        <div className="mt-5">{children}</div>
      </div>
      {below === undefined ? null : <p className="mt-4 text-center text-sm text-muted">{below}</p>}
    </div>
  );
}

export function InlineLink(props: {
  readonly to: "/login" | "/signup" | "/forgot-password";
  readonly children: ReactNode;
}) {
  return (
    <Link
      to={props.to}
      className="rounded-sm text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent"
    >
      {props.children}
    </Link>
  );
}

/** What went wrong, until the next try. */
export function FormError({ error }: { readonly error: Error | null }) {
  if (error === null) return null;
  return (
    <p className="rounded-md border border-sell/40 bg-sell-soft px-3 py-2 text-sm text-text">
      {error.message}
    </p>
  );
}

export function FormNotice({ children }: { readonly children: ReactNode }) {
  return (
    <output className="block rounded-md border border-line-strong bg-raised px-3 py-2 text-sm text-text">
      {children}
    </output>
  );
}

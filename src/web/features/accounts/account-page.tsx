import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { focusAtOnce } from "../../ui/focus-at-once.ts";

interface AccountPageProps {
  readonly title: string;
  readonly text?: ReactNode;
  /** Content below the card, such as a link to the other form. */
  readonly below?: ReactNode;
  /** Whether it replaces the form that had the focus, in which case its title gets the focus. */
  readonly isOutcome?: boolean;
  readonly children?: ReactNode;
}

/** A card in the centre of the page, for signing in and related forms. */
export function AccountPage(props: AccountPageProps) {
  const { title, text, below, isOutcome = false, children } = props;
  return (
    <div className="w-full max-w-sm">
      <div className="rounded-lg border bg-surface p-6">
        <h1
          className="text-lg font-semibold tracking-tight outline-none"
          {...(isOutcome && { tabIndex: -1, ref: focusAtOnce })}
        >
          {title}
        </h1>
        {text === undefined ? null : (
          <p className="mt-1.5 text-sm text-pretty text-muted [overflow-wrap:anywhere]">{text}</p>
        )}
        {children === undefined ? null : <div className="mt-5">{children}</div>}
      </div>
      {below === undefined ? null : <p className="mt-4 text-center text-sm text-muted">{below}</p>}
    </div>
  );
}

interface InlineLinkProps {
  readonly to: "/login" | "/signup" | "/forgot-password";
  /** Prefills the form that the link opens; a function is called on click. */
  readonly email?: string | (() => string | undefined) | undefined;
  /** The page to open after signing in or up. */
  readonly redirect?: string | undefined;
  /** Whether the link skips the warning about unsaved entries: the target replaces this form. */
  readonly leavesEntries?: boolean;
  readonly children: ReactNode;
}

export function InlineLink({
  to,
  email,
  redirect,
  leavesEntries = false,
  children,
}: InlineLinkProps) {
  return (
    <Link
      to={to}
      search={() => ({ email: typeof email === "function" ? email() : email, redirect })}
      ignoreBlocker={leavesEntries}
      className="touchable rounded-sm text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent"
    >
      {children}
    </Link>
  );
}

/** An error message, shown until the next attempt. */
export function FormError({ error, also }: { readonly error: Error | null; also?: ReactNode }) {
  if (error === null) return null;
  return (
    <p
      role="alert"
      className="rounded-md border border-sell/40 bg-sell-soft px-3 py-2 text-sm text-text"
    >
      {error.message}
      {also === undefined ? null : <> {also}</>}
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

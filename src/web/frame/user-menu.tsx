import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronDown, LogOut, Settings, Users } from "lucide-react";
import type { KeyboardEvent } from "react";
import type { CurrentUser } from "#contract/users.ts";
import { fullNameOf, initialsOf } from "../format/person-name.ts";
import { signOut } from "../session/sign-out.ts";
import { Badge } from "../ui/badge.tsx";
import { Popover } from "../ui/popover.tsx";

const ITEM =
  "flex h-9 w-full items-center gap-2 rounded-sm px-2 text-left text-sm text-muted hover:bg-hover hover:text-text";

interface UserMenuProps {
  readonly user: CurrentUser;
  /** Hides the sign-out while viewing as another user: the banner has the button to stop. */
  readonly isImpersonated: boolean;
}

export function UserMenu({ user, isImpersonated }: UserMenuProps) {
  const leave = useMutation({ mutationFn: signOut });
  const name = fullNameOf(user);
  return (
    <Popover
      label="Account"
      // The name begins with the visible initials, so that voice control finds the button by them.
      triggerLabel={`${initialsOf(user)}, account of ${name}`}
      triggerClassName="flex h-9 items-center gap-1.5 rounded-md pl-1 pr-1.5 text-muted hover:bg-hover hover:text-text"
      trigger={
        <>
          <span
            aria-hidden
            className="grid size-7 place-items-center rounded-full border border-line-strong bg-raised text-2xs font-semibold text-text"
          >
            {initialsOf(user)}
          </span>
          <ChevronDown className="size-3.5 max-sm:hidden" aria-hidden />
        </>
      }
      align="end"
      className="w-60 p-1"
    >
      {(close) => (
        <>
          <div className="px-2 py-1.5">
            <p className="truncate text-sm font-medium text-text" dir="auto">
              {name}
            </p>
            <p className="truncate text-xs text-muted">{user.email}</p>
            <p className="mt-1.5 flex gap-1.5">
              <Badge>{user.plan.name}</Badge>
              {user.role === "admin" ? <Badge tone="accent">Admin</Badge> : null}
            </p>
          </div>
          <hr className="-mx-1 my-1 border-line-strong" />
          <div role="menu" aria-label="Account" tabIndex={-1} onKeyDown={moveFocus}>
            <Link to="/settings" role="menuitem" className={ITEM} onClick={close}>
              <Settings className="size-4" aria-hidden /> Settings
            </Link>
            {user.role === "admin" ? (
              <Link to="/admin" role="menuitem" className={ITEM} onClick={close}>
                <Users className="size-4" aria-hidden /> Administration
              </Link>
            ) : null}
            {isImpersonated ? null : (
              <button
                type="button"
                role="menuitem"
                className={ITEM}
                disabled={leave.isPending}
                onClick={() => leave.mutate()}
              >
                <LogOut className="size-4" aria-hidden />
                {leave.isPending ? "Signing out…" : "Sign out"}
              </button>
            )}
          </div>
        </>
      )}
    </Popover>
  );
}

/** Moves the focus between the menu's items by arrow keys, wrapping around. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=menuitem]")];
  const focused = items.findIndex((item) => item === document.activeElement);
  items.at((focused + step) % items.length)?.focus();
}

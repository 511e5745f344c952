import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronDown, LogOut, Settings } from "lucide-react";
import type { CurrentUser } from "#contract/types.ts";
import { signOut } from "../session/sign-out.ts";
import { Badge } from "../ui/badge.tsx";
import {
  Menu, MenuContent, MenuItem, MenuLabel, MenuSeparator, MenuTrigger,
} from "../ui/menu.tsx";
import { initialsOf } from "./initials.ts";

export function UserMenu({ user }: { readonly user: CurrentUser }) {
  const leave = useMutation({ mutationFn: signOut });
  const name = [user.name, user.lastname].filter(Boolean).join(" ");
  return (
    <Menu>
      <MenuTrigger
        aria-label={`Account of ${name === "" ? user.email : name}`}
        className="flex h-9 items-center gap-1.5 rounded-md pl-1 pr-1.5 text-muted hover:bg-hover hover:text-text"
      >
        <span
          aria-hidden
          className="grid size-7 place-items-center rounded-full border border-line-strong bg-raised text-2xs font-semibold text-text"
        >
          {initialsOf(user)}
        </span>
        <ChevronDown className="size-3.5" aria-hidden />
      </MenuTrigger>
      <MenuContent className="w-60">
        <MenuLabel>
          <p className="truncate text-sm font-medium text-text">{name}</p>
          <p className="truncate text-xs text-muted">{user.email}</p>
          <p className="mt-1.5 flex gap-1.5">
            <Badge>{user.plan.name}</Badge>
            {user.role === "admin" ? <Badge tone="accent">Admin</Badge> : null}
          </p>
        </MenuLabel>
        <MenuSeparator />
        <MenuItem asChild>
          <Link to="/settings">
            <Settings className="size-4" aria-hidden /> Settings
          </Link>
        </MenuItem>
        <MenuItem
          disabled={leave.isPending}
          onSelect={(event) => {
            // The menu stays until the page is gone, else nothing shows that something happens.
            event.preventDefault();
            leave.mutate();
          }}
        >
          <LogOut className="size-4" aria-hidden /> {leave.isPending ? "Signing out…" : "Sign out"}
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}

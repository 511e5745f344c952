/** What each role may do to users and sessions: less than the library's default. */
import { createAccessControl } from "better-auth/plugins/access";

const actions = {
  user: [
    "create",
    "list",
    "set-role",
    "ban",
    "impersonate",
    "delete",
    "set-password",
    "get",
    "update",
  ],
  session: ["list", "revoke", "delete"],
} as const;

export const accessControl = createAccessControl(actions);

const definedRoles = {
  admin: accessControl.newRole({ user: [...actions.user], session: [...actions.session] }),
  user: accessControl.newRole({ user: [], session: [] }),
};
/** Without a prototype: the library takes every name found in it for a role. */
export const roles: typeof definedRoles = Object.assign(Object.create(null), definedRoles);

export type Permissions = Parameters<typeof roles.admin.authorize>[0];

/** @param storedRole one role or several joined by commas; none means user */
export function permits(storedRole: string | null, permissions: Permissions): boolean {
  return (storedRole ?? "user")
    .split(",")
    .some((role) => Object.hasOwn(roles, role) && roleOf(role).authorize(permissions).success);
}

function roleOf(role: string) {
  return roles[role as keyof typeof roles];
}

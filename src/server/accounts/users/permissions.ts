/** Permissions of each role on users and sessions: fewer than the library's defaults. */
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
/** Has no prototype, because the library accepts every inherited property name as a role. */
export const roles: typeof definedRoles = Object.assign(Object.create(null), definedRoles);

export type Permissions = Parameters<typeof roles.admin.authorize>[0];

/** @param storedRole one role or several joined by commas; null means user */
export function permits(storedRole: string | null, permissions: Permissions): boolean {
  return (storedRole ?? "user")
    .split(",")
    .filter((role): role is keyof typeof roles => Object.hasOwn(roles, role))
    .some((role) => roles[role].authorize(permissions).success);
}

import type { CurrentUser } from "#contract/users.ts";

/** Where a page sends its viewer instead of showing itself; null lets it show. */
export function redirectFromAuth(userId: string | null): "/dashboard" | null {
  return userId === null ? null : "/dashboard";
}

export function redirectFromApp(userId: string | null): "/login" | null {
  return userId === null ? "/login" : null;
}

const USUAL = "/dashboard";

/** What the sign-in page is told about where somebody was going: nothing where people go anyway. */
export function returnFromLogin(address: string): { readonly redirect?: string } {
  return address === USUAL ? {} : { redirect: address };
}

/** Whether the pages of administrators exist for this viewer. */
export function isAdmin(user: Pick<CurrentUser, "role"> | null): boolean {
  return user?.role === "admin";
}

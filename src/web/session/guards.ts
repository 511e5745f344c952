import type { CurrentUser } from "#contract/users.ts";

/** Where a page redirects its viewer; null shows the page. */
export function redirectFromAuth(userId: string | null): "/dashboard" | null {
  return userId === null ? null : "/dashboard";
}

export function redirectFromApp(userId: string | null): "/login" | null {
  return userId === null ? "/login" : null;
}

const USUAL = "/dashboard";

/** The return address for the sign-in page: nothing for the default destination. */
export function returnFromLogin(address: string): { readonly redirect?: string } {
  return address === USUAL ? {} : { redirect: address };
}

/** Whether the pages of administrators exist for this viewer. */
export function isAdmin(user: Pick<CurrentUser, "role"> | null): boolean {
  return user?.role === "admin";
}

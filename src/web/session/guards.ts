import type { CurrentUser } from "#contract/users.ts";

/** Where the sign-in pages redirect a signed-in user; null shows the page. */
export function redirectFromAuth(userId: string | null): "/dashboard" | null {
  return userId === null ? null : "/dashboard";
}

export function redirectFromApp(userId: string | null): "/login" | null {
  return userId === null ? "/login" : null;
}

const DEFAULT_PATH = "/dashboard";

/** The `redirect` parameter of the sign-in page; none for the default destination. */
export function returnFromLogin(href: string): { readonly redirect?: string } {
  return href === DEFAULT_PATH ? {} : { redirect: href };
}

/** Whether the viewer may open the administrators' pages. */
export function isAdmin(user: Pick<CurrentUser, "role"> | null): boolean {
  return user?.role === "admin";
}

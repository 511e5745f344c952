import { type Role, USER_SORTS, type UserSort } from "#contract/users.ts";
import type { UserListArgs } from "#contract/functions.ts";

/** The search parameters of the list of users; absent ones have their defaults. */
export interface UsersSearch {
  readonly search?: string | undefined;
  readonly role?: Role | undefined;
  readonly state?: UserState | undefined;
  readonly sort?: UserSort | undefined;
  readonly descending?: boolean | undefined;
  /** Page number, starting at 1. */
  readonly page?: number | undefined;
}
export type UserState = "active" | "banned";

const USERS_PER_PAGE = 25;
const SEARCH_LENGTH_MAX = 100;
const PAGE_MAX = 100_000;
const DEFAULT_SORT: UserSort = "createdAt";

/** Parses search parameters: invalid ones are ignored, default values omitted. */
export function parseUsersSearch(given: Record<string, unknown>): UsersSearch {
  const { search, role, state, page } = given;
  const sort = USER_SORTS.find((known) => known === given["sort"]);
  const descending = given["descending"];
  const isDefaultOrder = descending === naturallyDescending(sort ?? DEFAULT_SORT);
  return {
    search:
      typeof search === "string" && search.trim() !== ""
        ? search.slice(0, SEARCH_LENGTH_MAX)
        : undefined,
    role: role === "admin" || role === "user" ? role : undefined,
    state: state === "active" || state === "banned" ? state : undefined,
    sort: sort === DEFAULT_SORT ? undefined : sort,
    descending: typeof descending === "boolean" && !isDefaultOrder ? descending : undefined,
    page:
      typeof page === "number" && Number.isInteger(page) && page > 1 && page <= PAGE_MAX
        ? page
        : undefined,
  };
}

export function sortOf({ sort = DEFAULT_SORT, descending }: UsersSearch): {
  readonly key: UserSort;
  readonly descending: boolean;
} {
  return { key: sort, descending: descending ?? naturallyDescending(sort) };
}

/** Whether a column's default direction is descending: times are newest first, names from A. */
function naturallyDescending(sort: UserSort): boolean {
  return sort === "createdAt";
}

/** Arguments of the query of users. */
export function argsOf(search: UsersSearch): UserListArgs {
  const { key, descending } = sortOf(search);
  return {
    sort: key,
    descending,
    offset: ((search.page ?? 1) - 1) * USERS_PER_PAGE,
    limit: USERS_PER_PAGE,
    search: search.search,
    role: search.role,
    ...(search.state !== undefined && { banned: search.state === "banned" }),
  };
}

export function isFiltered({ search, role, state }: UsersSearch): boolean {
  return search !== undefined || role !== undefined || state !== undefined;
}

/** The range of users on a page, such as "26–50 of 63". */
export function rangeText(page: number, shown: number, total: number): string {
  if (total === 0) return "None";
  const first = (page - 1) * USERS_PER_PAGE + 1;
  if (shown === 0) return `${total} in all`;
  return `${first}–${first + shown - 1} of ${total}`;
}

export function pageCount(total: number): number {
  return Math.max(1, Math.ceil(total / USERS_PER_PAGE));
}

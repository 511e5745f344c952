import { Link } from "@tanstack/react-router";
import type { ListedUser, UserSort } from "#contract/users.ts";
import { fullNameOf } from "../../format/person-name.ts";
import { formatDate, useTimeZone } from "../../format/time.ts";
import { type Sort, SortableHead, Table, TableCell, TableHead, TableRow } from "../../ui/table.tsx";
import { Avatar, RoleBadge, StateBadge, VerifiedMark } from "./user-badges.tsx";
import { lastSeenText } from "./user-texts.ts";

interface UsersTableProps {
  readonly users: readonly ListedUser[];
  /** When the users were read, in milliseconds since 1970. */
  readonly readAtMs: number;
  readonly sort: Sort<UserSort>;
  readonly onSort: (sort: Sort<UserSort>) => void;
}

/** One page of users, sorted by the server, which alone has all of them. */
export function UsersTable({ users, readAtMs, sort, onSort }: UsersTableProps) {
  const head = { sort, onSort };
  return (
    <Table className="table-fixed">
      <caption className="sr-only">Users</caption>
      <thead>
        <TableRow>
          <SortableHead column="name" {...head} className="lg:w-[26%]">
            Person
          </SortableHead>
          <SortableHead column="email" {...head} className="max-lg:hidden">
            Email
          </SortableHead>
          <TableHead className="w-20 max-md:hidden">Role</TableHead>
          <TableHead className="w-24">State</TableHead>
          <SortableHead column="createdAt" {...head} className="w-32 max-md:hidden">
            Created
          </SortableHead>
          <TableHead className="w-32 max-md:hidden">Last seen</TableHead>
        </TableRow>
      </thead>
      <tbody>
        {users.map((user) => (
          <UserRow key={user.id} user={user} readAtMs={readAtMs} />
        ))}
      </tbody>
    </Table>
  );
}

interface UserRowProps {
  readonly user: ListedUser;
  readonly readAtMs: number;
}

function UserRow({ user, readAtMs }: UserRowProps) {
  const timeZone = useTimeZone();
  const name = fullNameOf(user);
  return (
    <TableRow className="relative hover:bg-raised has-[a:focus-visible]:bg-raised">
      <TableCell className="h-12!">
        <span className="flex min-w-0 items-center gap-2.5">
          <Avatar person={user} />
          <span className="min-w-0">
            {/* The link covers the row: a click anywhere opens the user. */}
            <span className="flex min-w-0 items-center gap-2">
              <Link
                to="/admin/users/$userId"
                params={{ userId: user.id }}
                className="truncate text-sm font-medium text-text after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
              >
                <bdi>{name}</bdi>
              </Link>
              {user.role === "admin" ? (
                <span className="flex md:hidden">
                  <RoleBadge role={user.role} />
                </span>
              ) : null}
            </span>
            <span className="flex min-w-0 items-center gap-1.5 text-muted lg:hidden">
              <span className="truncate">{user.email}</span>
              <VerifiedMark isVerified={user.emailVerified} />
            </span>
          </span>
        </span>
      </TableCell>
      <TableCell className="max-lg:hidden">
        <span className="flex min-w-0 items-center gap-1.5 text-muted">
          <span className="truncate" title={user.email}>
            {user.email}
          </span>
          <VerifiedMark isVerified={user.emailVerified} />
        </span>
      </TableCell>
      <TableCell className="max-md:hidden">
        <RoleBadge role={user.role} />
      </TableCell>
      <TableCell>
        <StateBadge ban={user.ban} />
      </TableCell>
      <TableCell className="figures text-muted max-md:hidden">
        {formatDate(user.createdAt, timeZone)}
      </TableCell>
      <TableCell className="text-muted max-md:hidden">
        {lastSeenText(user.lastSeenAt, readAtMs, timeZone)}
      </TableCell>
    </TableRow>
  );
}

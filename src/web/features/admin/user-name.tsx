import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { fullNameOf } from "../../format/person-name.ts";
import { userQuery } from "./admin-queries.ts";

/** The user's name; the id if the user was deleted. */
export function useUserName(userId: string): string {
  const { data: user } = useQuery(userQuery(userId));
  return user === undefined ? userId : fullNameOf(user);
}

interface UserLinkProps {
  readonly userId: string;
  readonly name: string;
}

export function UserLink({ userId, name }: UserLinkProps) {
  return (
    <Link
      to="/admin/users/$userId"
      params={{ userId }}
      className="rounded-sm font-medium hover:underline"
    >
      <bdi>{name}</bdi>
    </Link>
  );
}

interface AdministratorNameProps {
  readonly userId: string;
  /** The viewer's user id. */
  readonly ownId: string | null;
}

export function AdministratorName({ userId, ownId }: AdministratorNameProps) {
  return userId === ownId ? "you" : <UserName userId={userId} />;
}

function UserName({ userId }: { readonly userId: string }) {
  return <bdi>{useUserName(userId)}</bdi>;
}

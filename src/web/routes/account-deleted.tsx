import { createFileRoute } from "@tanstack/react-router";
import { AccountDeleted } from "../features/accounts/account-deleted.tsx";
import { AccountFrame } from "../frame/account-frame.tsx";

/** The landing page of the mailed link that deletes an account. */
export const Route = createFileRoute("/account-deleted")({
  validateSearch: (search: Record<string, unknown>): { error?: string | undefined } => ({
    error: typeof search["error"] === "string" ? search["error"] : undefined,
  }),
  head: ({ match }) => ({ meta: [{ title: `Delete account · ${match.context.productName}` }] }),
  component: Deleted,
});

function Deleted() {
  const { productName } = Route.useRouteContext();
  return (
    <AccountFrame productName={productName}>
      <AccountDeleted error={Route.useSearch().error} />
    </AccountFrame>
  );
}

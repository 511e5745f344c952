import { queryOptions } from "@tanstack/react-query";
import { AccountError } from "../../session/account-error.ts";
import { askAccounts } from "../../session/account-refusals.ts";
import { authClient } from "../../session/auth-client.ts";

/** Whether to retry a failed request: not after a refusal, which is final. */
export function retryFailures(failures: number, error: Error): boolean {
  return !(error instanceof AccountError) && failures < 3;
}

/** An account at a sign-in provider that is linked to the user. */
export interface LinkedAccount {
  /** Id of the link's row in the exchange's database. */
  readonly id: string;
  readonly providerId: string;
  readonly linkedAtMs: number;
}

/** The user's sign-in methods. */
export interface AccountState {
  readonly hasPassword: boolean;
  readonly hasTwoFactor: boolean;
  readonly linked: readonly LinkedAccount[];
}

const CREDENTIAL = "credential";

async function fetchAccountState(): Promise<AccountState> {
  const [accounts, current] = await Promise.all([
    askAccounts(authClient.listAccounts()),
    askAccounts(authClient.getSession()),
  ]);
  return {
    hasPassword: accounts.some(({ providerId }) => providerId === CREDENTIAL),
    // Added by the two-factor plugin, which this client's type does not include.
    hasTwoFactor: (current?.user as { twoFactorEnabled?: boolean })?.twoFactorEnabled === true,
    linked: accounts
      .filter(({ providerId }) => providerId !== CREDENTIAL)
      .map(({ id, providerId, createdAt }) => ({
        id,
        providerId,
        linkedAtMs: new Date(createdAt).getTime(),
      })),
  };
}

export const accountStateQuery = queryOptions({
  queryKey: ["accountState"],
  queryFn: fetchAccountState,
  retry: retryFailures,
});

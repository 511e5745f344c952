import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { formatDate, useTimeZone } from "../../format/time.ts";
import { askAccounts, urlErrorSentence } from "../../session/account-refusals.ts";
import { authClient } from "../../session/auth-client.ts";
import { type SignInProvider, signInProvidersQuery } from "../../session/sign-in-providers.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ProviderIcon } from "../../ui/provider-icon.tsx";
import { toastSuccess } from "../../ui/toast.ts";
import { accountStateQuery, type LinkedAccount } from "./account-state.ts";
import { useFreshSession } from "./fresh-session.tsx";
import { SettingsFailure, SettingsList, SettingsListItem } from "./settings-list.tsx";
import { SettingsSection } from "./settings-section.tsx";

/** Search parameters with which a provider returns to the settings. */
export interface LinkSearch {
  /** Id of the provider that has just been linked. */
  readonly linked?: string | undefined;
  readonly error?: string | undefined;
}

/** Whether to show the section: only if the operator enabled a provider. */
export function useLinkedAccountsShown(): boolean {
  const { data: providers } = useQuery(signInProvidersQuery);
  const { data: account } = useQuery(accountStateQuery);
  return providers !== undefined && (providers.length > 0 || (account?.linked.length ?? 0) > 0);
}

/** The section of the user's accounts at sign-in providers. */
export function LinkedAccountsSection({ linked, error }: LinkSearch) {
  const { data: providers } = useQuery(signInProvidersQuery);
  const account = useQuery(accountStateQuery);
  const isShown = useLinkedAccountsShown();
  useLinkedNotice(linked, providers);
  if (!isShown || providers === undefined) return null;
  return (
    <SettingsSection
      id="linked"
      title="Linked accounts"
      text="Sign in with one click where you have an account already."
    >
      {error === undefined ? null : (
        <p
          role="alert"
          className="mb-3 rounded-md border border-sell/40 bg-sell-soft px-3 py-2 text-sm"
        >
          {urlErrorSentence(error)}
        </p>
      )}
      {account.isError ? (
        <SettingsFailure error={account.error} onRetry={account.refetch} />
      ) : (
        <SettingsList label="Linked accounts" isLoading={account.isPending}>
          {account.data?.linked.map((each) => (
            <LinkedRow
              key={each.id}
              account={each}
              name={nameOf(each.providerId, providers)}
              isOnlyWayIn={!account.data.hasPassword && account.data.linked.length === 1}
            />
          ))}
          {providers
            .filter(({ id }) => !account.data?.linked.some(({ providerId }) => providerId === id))
            .map((provider) => (
              <UnlinkedRow key={provider.id} provider={provider} />
            ))}
        </SettingsList>
      )}
    </SettingsSection>
  );
}

function nameOf(providerId: string, providers: readonly SignInProvider[]): string {
  return providers.find(({ id }) => id === providerId)?.name ?? providerId;
}

/** Reports the result of linking an account once, and removes it from the page's URL. */
function useLinkedNotice(
  linked: string | undefined,
  providers: readonly SignInProvider[] | undefined,
): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (linked === undefined || providers === undefined) return;
    toastSuccess(`${nameOf(linked, providers)} is linked.`);
    void navigate({ to: "/settings", search: {}, replace: true, resetScroll: false });
  }, [linked, providers, navigate]);
}

function UnlinkedRow({ provider: { id, name } }: { readonly provider: SignInProvider }) {
  const link = useMutation({
    mutationFn: () =>
      askAccounts(
        authClient.linkSocial({
          provider: id,
          callbackURL: `/settings?linked=${encodeURIComponent(id)}`,
          errorCallbackURL: "/settings",
        }),
      ),
  });
  return (
    <SettingsListItem icon={<ProviderIcon id={id} name={name} />} title={name} text="Not linked">
      <Button
        size="sm"
        aria-label={`Link ${name}`}
        busy={link.isPending || link.isSuccess}
        onClick={() => link.mutate()}
      >
        Link
      </Button>
    </SettingsListItem>
  );
}

interface LinkedRowProps {
  readonly account: LinkedAccount;
  readonly name: string;
  readonly isOnlyWayIn: boolean;
}

function LinkedRow({ account, name, isOnlyWayIn }: LinkedRowProps) {
  const timeZone = useTimeZone();
  const queryClient = useQueryClient();
  const run = useFreshSession();
  const [isAsking, setIsAsking] = useState(false);
  const unlink = useMutation({
    mutationFn: () => run(() => askAccounts(authClient.unlinkAccount({ accountId: account.id }))),
    onSuccess: () => {
      toastSuccess(`${name} is no longer linked.`);
      return queryClient.invalidateQueries({ queryKey: accountStateQuery.queryKey });
    },
    onSettled: () => setIsAsking(false),
  });
  return (
    <SettingsListItem
      icon={<ProviderIcon id={account.providerId} name={name} />}
      title={name}
      text={
        isOnlyWayIn
          ? "Your only way to sign in. Set a password or link another account to remove it."
          : `Linked since ${formatDate(account.linkedAtMs, timeZone)}`
      }
    >
      <Button
        size="sm"
        aria-label={`Unlink ${name}`}
        disabled={isOnlyWayIn}
        onClick={() => setIsAsking(true)}
      >
        Unlink
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={`Unlink ${name}`}
        text={`You will not sign in with ${name} any more. You can link it again later.`}
        confirmLabel="Unlink"
        busy={unlink.isPending}
        onConfirm={() => unlink.mutate()}
        onCancel={() => setIsAsking(false)}
      />
    </SettingsListItem>
  );
}

import { useMutation } from "@tanstack/react-query";
import { askAccounts } from "../../session/account-refusals.ts";
import { replacingSession } from "../../session/backend-token.ts";
import { secondFactorClient } from "../../session/second-factor-client.ts";
import { CodeForm } from "../../ui/code-form.tsx";

interface VerifyCodeProps {
  readonly submitLabel: string;
  readonly onVerified: () => void;
}

/** Form that verifies an authenticator app's code for the page's session. */
export function VerifyCode({ submitLabel, onVerified }: VerifyCodeProps) {
  const verify = useMutation({
    mutationFn: async (code: string) =>
      replacingSession(() => askAccounts(secondFactorClient.twoFactor.verifyTotp({ code }))),
    onSuccess: onVerified,
  });
  return (
    <CodeForm
      error={verify.error?.message}
      submitLabel={submitLabel}
      isBusy={verify.isPending || verify.isSuccess}
      onSubmit={(code) => verify.mutate(code)}
    />
  );
}

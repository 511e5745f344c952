import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { askAccounts, isStepOver } from "../../session/account-refusals.ts";
import { secondFactorClient } from "../../session/second-factor-client.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { CodeInput } from "../../ui/code-input.tsx";
import { Field } from "../../ui/field.tsx";
import { focusAtOnce } from "../../ui/focus-at-once.ts";
import { Form } from "../../ui/form.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { AccountPage, InlineLink } from "./account-page.tsx";

const TRUSTED_DAYS = 30;

interface Attempt {
  readonly code: string;
  readonly withBackupCode: boolean;
  readonly trustDevice: boolean;
}

async function verify({ code, withBackupCode, trustDevice }: Attempt): Promise<unknown> {
  const { twoFactor } = secondFactorClient;
  return await askAccounts(
    withBackupCode
      ? twoFactor.verifyBackupCode({ code, trustDevice })
      : twoFactor.verifyTotp({ code, trustDevice }),
  );
}

/** The second step of signing in: a code from an authenticator app, or a backup code. */
export function TwoFactorForm({ redirect }: { readonly redirect: string | undefined }) {
  const [code, setCode] = useState("");
  const [withBackupCode, setWithBackupCode] = useState(false);
  const [trustDevice, setTrustDevice] = useState(false);
  const attempt = useMutation({
    mutationFn: verify,
    meta: { shownInPlace: () => true },
    // A full page load: this page was rendered for a visitor.
    onSuccess: () => window.location.assign(redirect ?? "/dashboard"),
    onError: () => {
      if (!withBackupCode) setCode("");
    },
  });
  if (isStepOver(attempt.error)) {
    return (
      <AccountPage title="Sign in again" text={attempt.error?.message}>
        <Link
          to="/login"
          search={{ redirect }}
          className={buttonClass({ variant: "primary", className: "w-full" })}
        >
          Back to sign in
        </Link>
      </AccountPage>
    );
  }
  const busy = attempt.isPending || attempt.isSuccess;
  const submit = (given: string) => {
    if (!busy && given !== "") attempt.mutate({ code: given, withBackupCode, trustDevice });
  };
  const error = code === "" || withBackupCode ? attempt.error?.message : undefined;
  return (
    <AccountPage
      title="Two-factor sign-in"
      text={
        withBackupCode
          ? "Enter one of the backup codes that you saved. Each works once."
          : "Enter the six digits that your authenticator app shows for this account."
      }
      below={<InlineLink to="/login">Back to sign in</InlineLink>}
    >
      <Form onSubmit={() => submit(code.trim())}>
        {withBackupCode ? (
          <TextField
            key="backup"
            label="Backup code"
            error={error}
            ref={focusAtOnce}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            inputClassName="font-mono"
            placeholder="xxxxx-xxxxx"
            value={code}
            onChange={({ target }) => setCode(target.value)}
          />
        ) : (
          <Field key="app" label="Code" error={error}>
            {(control) => (
              <CodeInput
                {...control}
                ref={focusAtOnce}
                value={code}
                onChange={setCode}
                onComplete={submit}
              />
            )}
          </Field>
        )}
        <Checkbox
          label={`Trust this device for ${TRUSTED_DAYS} days`}
          checked={trustDevice}
          onChange={({ target }) => setTrustDevice(target.checked)}
        />
        <Button type="submit" variant="primary" busy={busy} disabled={code.trim() === ""}>
          Continue
        </Button>
        <Button
          variant="ghost"
          size="sm"
          disabled={busy}
          onClick={() => {
            attempt.reset();
            setCode("");
            setWithBackupCode(!withBackupCode);
          }}
        >
          {withBackupCode ? "Use your authenticator app" : "Use a backup code"}
        </Button>
      </Form>
    </AccountPage>
  );
}

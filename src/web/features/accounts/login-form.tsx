import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useForm } from "react-hook-form";
import {
  CurrentPasswordField,
  EmailField,
  FIELD_RULES,
} from "../../session/account-form-fields.tsx";
import { isEmail } from "../../session/email.ts";
import { hasCode, urlErrorSentence } from "../../session/account-refusals.ts";
import type { LoginSearch } from "../../session/account-search.ts";
import { useSite } from "../../session/site.ts";
import { awaitAutofilledPasskey } from "../../session/passkey-support.ts";
import { signInWithPassword } from "../../session/password-sign-in.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Form } from "../../ui/form.tsx";
import { AccountPage, FormError, FormNotice, InlineLink } from "./account-page.tsx";
import { OtherSignInMethods } from "./other-sign-in-methods.tsx";
import { VerificationNeeded } from "./verification-needed.tsx";

interface LoginValues {
  email: string;
  password: string;
  rememberMe: boolean;
}

export function LoginForm({ email = "", error, redirect }: LoginSearch) {
  const navigate = useNavigate();
  const { offers } = useSite();
  const { register, handleSubmit, getValues, formState } = useForm<LoginValues>({
    defaultValues: { email, password: "", rememberMe: true },
  });
  const typedEmail = () => {
    const typed = getValues("email").trim();
    return isEmail(typed) ? typed : undefined;
  };
  // A full page load: this page was rendered for a visitor.
  const enter = () => window.location.assign(redirect ?? "/dashboard");
  const signIn = useMutation({
    mutationFn: async (values: LoginValues) =>
      signInWithPassword({ ...values, email: values.email.trim() }),
    meta: { shownInPlace: () => true },
    onSuccess: async (answer) => {
      if (answer === "codeNeeded") await navigate({ to: "/two-factor", search: { redirect } });
      else enter();
    },
  });
  useAutofilledPasskey(enter);
  if (hasCode(signIn.error, "EMAIL_NOT_VERIFIED")) {
    return <VerificationNeeded email={signIn.variables?.email.trim() ?? ""} />;
  }
  const busy = signIn.isPending || signIn.isSuccess;
  return (
    <AccountPage
      title="Sign in"
      below={
        offers.signUp ? (
          <>
            No account yet?{" "}
            <InlineLink to="/signup" redirect={redirect}>
              Sign up
            </InlineLink>
          </>
        ) : undefined
      }
    >
      {offers.passwords ? (
        <Form onSubmit={handleSubmit((values) => signIn.mutate(values))}>
          {error !== undefined && !signIn.isError ? (
            <FormNotice>{urlErrorSentence(error)}</FormNotice>
          ) : null}
          <FormError error={signIn.error} />
          <EmailField
            registration={register("email", FIELD_RULES.email)}
            error={formState.errors.email}
            offersPasskeys
            defaultValue={email}
          />
          <CurrentPasswordField
            registration={register("password", FIELD_RULES.currentPassword)}
            error={formState.errors.password}
            aside={
              offers.passwordReset ? (
                <InlineLink to="/forgot-password" email={typedEmail}>
                  Forgot password?
                </InlineLink>
              ) : undefined
            }
          />
          <Checkbox
            label="Stay signed in on this device"
            // Also set in the server-rendered page, from whose inputs the form takes its initial state.
            defaultChecked
            {...register("rememberMe")}
          />
          <Button type="submit" variant="primary" busy={busy}>
            Sign in
          </Button>
        </Form>
      ) : null}
      <OtherSignInMethods redirect={redirect} withPasskey />
    </AccountPage>
  );
}

function useAutofilledPasskey(onSignedIn: () => void): void {
  useEffect(() => {
    let isGone = false;
    // Passkey autofill only adds to the form: if it is unavailable, no error is shown.
    void awaitAutofilledPasskey()
      .catch(() => false)
      .then((signedIn) => {
        if (signedIn && !isGone) onSignedIn();
      });
    return () => {
      isGone = true;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- one offer for as long as the page lives
  }, []);
}

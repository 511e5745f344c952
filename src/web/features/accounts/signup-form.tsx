import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import {
  EmailField,
  FIELD_RULES,
  NameFields,
  NewPasswordField,
} from "../../session/account-form-fields.tsx";
import { askAccounts, hasCode, isAboutNewPassword } from "../../session/account-refusals.ts";
import { type SignupSearch, verificationAddress } from "../../session/account-search.ts";
import { authClient } from "../../session/auth-client.ts";
import { useSite } from "../../session/site.ts";
import { useUnsavedChanges } from "../../session/unsaved-changes.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { AccountPage, FormError, InlineLink } from "./account-page.tsx";
import { OtherSignInMethods } from "./other-sign-in-methods.tsx";
import { VerificationNeeded } from "./verification-needed.tsx";

interface SignupValues {
  name: string;
  lastname: string;
  email: string;
  password: string;
}

interface SignupFormProps extends SignupSearch {
  readonly simulated: boolean;
}

export function SignupForm({ simulated, email: givenEmail = "", redirect }: SignupFormProps) {
  const { register, handleSubmit, setError, formState } = useForm<SignupValues>({
    defaultValues: { name: "", lastname: "", email: givenEmail, password: "" },
  });
  const [mailSentTo, setMailSentTo] = useState<string | null>(null);
  const signUp = useMutation({
    mutationFn: (values: SignupValues) => {
      const email = values.email.trim();
      // `lastname` is our own field, which the client's type does not include.
      const fields = {
        name: values.name.trim(),
        lastname: values.lastname.trim(),
        email,
        password: values.password,
        callbackURL: verificationAddress(email),
      };
      return askAccounts(authClient.signUp.email(fields));
    },
    meta: { shownInPlace: () => true },
    onSuccess: (answer, values) => {
      // No token means that the exchange requires the email to be verified first.
      if (answer.token === null) setMailSentTo(values.email.trim());
      else window.location.assign(redirect ?? "/dashboard");
    },
    onError: (error) => {
      if (!isAboutNewPassword(error)) return;
      setError("password", { message: error.message }, { shouldFocus: true });
    },
  });
  // Once the sign-up request is sent, the page navigates by itself.
  useUnsavedChanges(formState.isDirty && (signUp.isIdle || signUp.isError));
  const { offers } = useSite();
  if (!offers.signUp) return <SignUpClosed />;
  if (mailSentTo !== null) return <VerificationNeeded email={mailSentTo} />;
  const { errors } = formState;
  const isTaken = hasCode(signUp.error, "USER_ALREADY_EXISTS");
  return (
    <AccountPage
      title="Create account"
      text={simulated ? "Practice funds only: no real money is involved." : undefined}
      below={
        <>
          Already have an account?{" "}
          <InlineLink to="/login" redirect={redirect}>
            Sign in
          </InlineLink>
        </>
      }
    >
      {offers.passwords ? (
        <Form onSubmit={handleSubmit((values) => signUp.mutate(values))}>
          <FormError
            error={isAboutNewPassword(signUp.error) ? null : signUp.error}
            also={
              isTaken ? (
                <InlineLink
                  to="/login"
                  email={signUp.variables?.email.trim()}
                  redirect={redirect}
                  leavesEntries
                >
                  Sign in with it
                </InlineLink>
              ) : undefined
            }
          />
          <NameFields
            name={register("name", FIELD_RULES.name)}
            lastname={register("lastname", FIELD_RULES.lastname)}
            errors={errors}
          />
          <EmailField
            registration={register("email", FIELD_RULES.email)}
            error={errors.email}
            defaultValue={givenEmail}
          />
          <NewPasswordField
            label="Password"
            registration={register("password", FIELD_RULES.newPassword)}
            error={errors.password}
          />
          <Button type="submit" variant="primary" busy={signUp.isPending || signUp.isSuccess}>
            Create account
          </Button>
        </Form>
      ) : null}
      <OtherSignInMethods redirect={redirect} requestSignUp />
    </AccountPage>
  );
}

function SignUpClosed() {
  return (
    <AccountPage
      title="No new accounts"
      text="The operator of this exchange takes no new accounts at present."
      below={
        <>
          Already have an account? <InlineLink to="/login">Sign in</InlineLink>
        </>
      }
    >
      {null}
    </AccountPage>
  );
}

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { accountAnswer } from "../../session/account-error.ts";
import { authClient } from "../../session/auth-client.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { AccountPage, FormError, FormNotice, InlineLink } from "./account-page.tsx";
import { ProviderButtons } from "./provider-buttons.tsx";
import {
  emailError,
  lastnameError,
  nameError,
  newPasswordError,
  PASSWORD_LENGTH_MIN,
} from "../../session/account-fields.ts";

interface SignupValues {
  name: string;
  lastname: string;
  email: string;
  password: string;
}

export function SignupForm({ simulated }: { readonly simulated: boolean }) {
  const { register, handleSubmit, formState } = useForm<SignupValues>({
    defaultValues: { name: "", lastname: "", email: "", password: "" },
  });
  const [mailSentTo, setMailSentTo] = useState<string | null>(null);
  const signUp = useMutation({
    mutationFn: (values: SignupValues) => {
      // `lastname` is a field of ours that the client's type does not know.
      const fields = {
        name: values.name.trim(),
        lastname: values.lastname.trim(),
        email: values.email.trim(),
        password: values.password,
        callbackURL: "/dashboard",
      };
      return accountAnswer(authClient.signUp.email(fields));
    },
    onSuccess: (answer, values) => {
      // Without a token the exchange wants the email verified first.
      if (answer.token === null) setMailSentTo(values.email.trim());
      else window.location.assign("/dashboard");
    },
  });
  const busy = signUp.isPending || (signUp.isSuccess && mailSentTo === null);
  const { errors } = formState;
  return (
    <AccountPage
      title="Create account"
      text={simulated ? "Practice funds only: no real money is involved." : undefined}
      below={
        <>
          Already have an account? <InlineLink to="/login">Sign in</InlineLink>
        </>
      }
    >
      {mailSentTo === null ? (
        <form
          method="post"
          noValidate
          className="grid gap-4"
          onSubmit={handleSubmit((values) => signUp.mutate(values))}
        >
          <FormError error={signUp.error} />
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="First name" error={errors.name?.message}>
              {(control) => (
                <Input
                  autoComplete="given-name"
                  {...control}
                  {...register("name", { validate: nameError })}
                />
              )}
            </Field>
            <Field label="Last name" error={errors.lastname?.message}>
              {(control) => (
                <Input
                  autoComplete="family-name"
                  {...control}
                  {...register("lastname", { validate: lastnameError })}
                />
              )}
            </Field>
          </div>
          <Field label="Email" error={errors.email?.message}>
            {(control) => (
              <Input
                type="email"
                autoComplete="email"
                inputMode="email"
                {...control}
                {...register("email", { validate: emailError })}
              />
            )}
          </Field>
          <Field
            label="Password"
            hint={`At least ${PASSWORD_LENGTH_MIN} characters.`}
            error={errors.password?.message}
          >
            {(control) => (
              <Input
                type="password"
                autoComplete="new-password"
                {...control}
                {...register("password", { validate: newPasswordError })}
              />
            )}
          </Field>
          <Button type="submit" variant="primary" busy={busy}>
            Create account
          </Button>
          <ProviderButtons />
        </form>
      ) : (
        <FormNotice>We sent a link to {mailSentTo}. Open it to finish your account.</FormNotice>
      )}
    </AccountPage>
  );
}

import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { accountAnswer, addressErrorSentence } from "../../session/account-error.ts";
import { authClient } from "../../session/auth-client.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { AccountPage, FormError, FormNotice, InlineLink } from "./account-page.tsx";
import { ProviderButtons } from "./provider-buttons.tsx";
import {
  currentPasswordError,
  emailError,
  type LoginSearch,
} from "../../session/account-fields.ts";

interface LoginValues {
  email: string;
  password: string;
  rememberMe: boolean;
}

export function LoginForm({ email = "", error }: LoginSearch) {
  const { register, handleSubmit, formState } = useForm<LoginValues>({
    defaultValues: { email, password: "", rememberMe: true },
  });
  const signIn = useMutation({
    mutationFn: (values: LoginValues) =>
      accountAnswer(authClient.signIn.email({ ...values, email: values.email.trim() })),
    // A whole new page: this one was rendered for nobody.
    onSuccess: () => window.location.assign("/dashboard"),
  });
  const busy = signIn.isPending || signIn.isSuccess;
  return (
    <AccountPage
      title="Sign in"
      below={
        <>
          No account yet? <InlineLink to="/signup">Sign up</InlineLink>
        </>
      }
    >
      <form
        method="post"
        noValidate
        className="grid gap-4"
        onSubmit={handleSubmit((values) => signIn.mutate(values))}
      >
        {error !== undefined && !signIn.isError ? (
          <FormNotice>{addressErrorSentence(error)}</FormNotice>
        ) : null}
        <FormError error={signIn.error} />
        <Field label="Email" error={formState.errors.email?.message}>
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
          error={formState.errors.password?.message}
          aside={<InlineLink to="/forgot-password">Forgot password?</InlineLink>}
        >
          {(control) => (
            <Input
              type="password"
              autoComplete="current-password"
              {...control}
              {...register("password", { validate: currentPasswordError })}
            />
          )}
        </Field>
        <Checkbox label="Stay signed in on this device" {...register("rememberMe")} />
        <Button type="submit" variant="primary" busy={busy}>
          Sign in
        </Button>
      </form>
      <ProviderButtons />
    </AccountPage>
  );
}

/** Form fields shared by the sign-in, sign-up and settings forms, with their validation rules. */
import type { ReactNode } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { Field } from "../ui/field.tsx";
import { PasswordInput } from "../ui/password-input.tsx";
import { TextField } from "../ui/text-field.tsx";
import {
  currentPasswordError,
  emailError,
  lastnameError,
  nameError,
  newPasswordError,
} from "./account-fields.ts";
import { useSite } from "./site.ts";

/** Options for the form library's `register`. */
export const FIELD_RULES = {
  name: { validate: nameError },
  lastname: { validate: lastnameError },
  email: { validate: emailError },
  currentPassword: { validate: currentPasswordError },
  newPassword: { validate: newPasswordError },
} as const;

interface FieldError {
  readonly message?: string | undefined;
}

interface AccountFieldProps {
  readonly registration: UseFormRegisterReturn;
  readonly error: FieldError | undefined;
  readonly label?: string;
  readonly hint?: ReactNode;
  readonly aside?: ReactNode;
}

interface NameFieldsProps {
  readonly name: UseFormRegisterReturn;
  readonly lastname: UseFormRegisterReturn;
  readonly errors: {
    readonly name?: FieldError | undefined;
    readonly lastname?: FieldError | undefined;
  };
  /** Initial values, also in the server-rendered page. */
  readonly defaults?: { readonly name: string; readonly lastname: string };
}

export function NameFields({ name, lastname, errors, defaults }: NameFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label="First name"
        error={errors.name?.message}
        autoComplete="given-name"
        defaultValue={defaults?.name}
        {...name}
      />
      <TextField
        label="Last name"
        error={errors.lastname?.message}
        autoComplete="family-name"
        defaultValue={defaults?.lastname}
        {...lastname}
      />
    </div>
  );
}

interface EmailFieldProps extends AccountFieldProps {
  /** Whether the browser offers passkeys in the field's autofill. */
  readonly offersPasskeys?: boolean;
  /** Initial value, also in the server-rendered page. */
  readonly defaultValue?: string | undefined;
}

export function EmailField(props: EmailFieldProps) {
  const { registration, error, label = "Email", hint, aside, offersPasskeys = false } = props;
  const { defaultValue } = props;
  return (
    <TextField
      label={label}
      hint={hint}
      aside={aside}
      error={error?.message}
      type="email"
      inputMode="email"
      autoComplete={offersPasskeys ? "username webauthn" : "email"}
      defaultValue={defaultValue}
      {...registration}
    />
  );
}

export function CurrentPasswordField(props: AccountFieldProps) {
  const { registration, error, label = "Password", hint, aside } = props;
  return (
    <Field label={label} hint={hint} aside={aside} error={error?.message}>
      {(control) => (
        <PasswordInput autoComplete="current-password" {...control} {...registration} />
      )}
    </Field>
  );
}

export function NewPasswordField(props: AccountFieldProps) {
  const { registration, error, label = "New password", aside } = props;
  const { passwordLengthMin } = useSite();
  const hint =
    props.hint ??
    `At least ${passwordLengthMin} characters that are hard to guess. Three unrelated words work well.`;
  return (
    <Field label={label} hint={hint} aside={aside} error={error?.message}>
      {(control) => <PasswordInput autoComplete="new-password" {...control} {...registration} />}
    </Field>
  );
}

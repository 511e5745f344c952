import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import type { CurrentUser } from "#contract/types.ts";
import { accountAnswer } from "../../session/account-error.ts";
import { authClient } from "../../session/auth-client.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { toastSuccess } from "../../ui/toast.ts";
import { SettingsSection } from "./settings-section.tsx";
import { UnsavedChanges } from "./unsaved-changes.tsx";
import { lastnameError, nameError } from "../../session/account-fields.ts";

interface ProfileValues {
  name: string;
  lastname: string;
}

export function ProfileSection({ user }: { readonly user: CurrentUser }) {
  const { register, handleSubmit, formState, reset } = useForm<ProfileValues>({
    defaultValues: { name: user.name, lastname: user.lastname },
  });
  const save = useMutation({
    mutationFn: (values: ProfileValues) => {
      // `lastname` is a field of ours that the client's type does not know.
      const fields = { name: values.name.trim(), lastname: values.lastname.trim() };
      return accountAnswer(authClient.updateUser(fields));
    },
    onSuccess: (_answer, values) => {
      reset({ name: values.name.trim(), lastname: values.lastname.trim() });
      toastSuccess("Profile saved.");
    },
  });
  const { errors, isDirty } = formState;
  return (
    <SettingsSection id="profile" title="Profile" text="Only you and the operator see it.">
      <UnsavedChanges dirty={isDirty} />
      <form
        method="post"
        noValidate
        className="grid gap-4"
        onSubmit={handleSubmit((values) => save.mutate(values))}
      >
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
        <div className="flex gap-2">
          <Button type="submit" variant="primary" busy={save.isPending} disabled={!isDirty}>
            Save
          </Button>
          {isDirty ? (
            <Button variant="ghost" onClick={() => reset()}>
              Discard
            </Button>
          ) : null}
        </div>
      </form>
    </SettingsSection>
  );
}

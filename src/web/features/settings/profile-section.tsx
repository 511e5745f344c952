import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { useForm } from "react-hook-form";
import type { CurrentUser } from "#contract/users.ts";
import { FIELD_RULES, NameFields } from "../../session/account-form-fields.tsx";
import { askAccounts } from "../../session/account-refusals.ts";
import { authClient } from "../../session/auth-client.ts";
import { useUnsavedChanges } from "../../session/unsaved-changes.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { KeptButton } from "../../ui/kept-button.tsx";
import { toastSuccess } from "../../ui/toast.ts";
import { SettingsSection } from "./settings-section.tsx";

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
      // `lastname` is a field of our own, which the client's type does not include.
      const fields = { name: values.name.trim(), lastname: values.lastname.trim() };
      return askAccounts(authClient.updateUser(fields));
    },
    onSuccess: (_answer, values) => {
      reset({ name: values.name.trim(), lastname: values.lastname.trim() });
      toastSuccess("Profile saved.");
    },
  });
  const { errors, isDirty } = formState;
  useUnsavedChanges(isDirty);
  const saveButton = useRef<HTMLButtonElement>(null);
  const discard = () => {
    // The button that was pressed goes, and the focus would go with it.
    saveButton.current?.focus();
    reset();
  };
  return (
    <SettingsSection id="profile" title="Profile" text="Only you and the operator see it.">
      <Form onSubmit={handleSubmit((values) => save.mutate(values))}>
        <NameFields
          name={register("name", FIELD_RULES.name)}
          lastname={register("lastname", FIELD_RULES.lastname)}
          errors={errors}
          defaults={user}
        />
        <div className="flex gap-2">
          <KeptButton
            ref={saveButton}
            type="submit"
            variant="primary"
            busy={save.isPending}
            disabled={!isDirty}
          >
            Save
          </KeptButton>
          {isDirty ? (
            <Button variant="ghost" onClick={discard}>
              Discard
            </Button>
          ) : null}
        </div>
      </Form>
    </SettingsSection>
  );
}

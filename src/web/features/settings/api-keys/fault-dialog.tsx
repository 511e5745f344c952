import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import type { ApiKey } from "#contract/api-keys.ts";
import { functions } from "#contract/functions.ts";
import { KEY_FAULTS } from "#contract/key-faults.ts";
import { useUnsavedChanges } from "../../../session/unsaved-changes.ts";
import { useBackend } from "../../../session/use-backend.ts";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { Form } from "../../../ui/form.tsx";
import { SelectField } from "../../../ui/select-field.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { toastSuccess } from "../../../ui/toast.ts";
import {
  FAULT_GROUPS,
  FAULT_UNITS,
  faultEntriesOf,
  faultError,
  faultsOf,
} from "./fault-entries.ts";

const DURATIONS = [
  { value: "300", label: "5 minutes" },
  { value: "3600", label: "1 hour" },
  { value: "28800", label: "8 hours" },
  { value: "86400", label: "24 hours" },
] as const;

interface FaultDialogProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

/** Sets the faults of one API key. */
export function FaultDialog({ apiKey: { faults, keyId, name }, onClose }: FaultDialogProps) {
  const backend = useBackend();
  const [seconds, setSeconds] = useState<(typeof DURATIONS)[number]["value"]>("3600");
  const { formState, getValues, handleSubmit, register } = useForm({
    defaultValues: { ...faultEntriesOf(faults?.faults), isHalted: faults?.faults.halted === 1 },
  });
  useUnsavedChanges(formState.isDirty);
  const start = useMutation({
    mutationFn: () => {
      const { isHalted, ...entries } = getValues();
      const wanted = { ...faultsOf(entries), halted: isHalted ? 1 : 0 };
      return backend.mutation(functions.apiKeys.setFaults, {
        keyId,
        faults: wanted,
        seconds: Number(seconds),
      });
    },
    onSuccess: (key) => {
      toastSuccess(key.faults === null ? "No faults are on." : "Faults are on.");
      onClose();
    },
  });
  return (
    <Dialog
      onClose={onClose}
      title={`Fault lab of “${name}”`}
      description="Faults for programs that use this key, so that you can test how they respond. Orders and balances stay correct, and other users are not affected."
      className="sm:max-w-xl!"
    >
      <Form className="grid gap-5" onSubmit={handleSubmit(() => start.mutate())}>
        {FAULT_GROUPS.map(({ fields, title }) => (
          <fieldset key={title} className="grid grid-cols-2 gap-3 sm:grid-cols-4">
            <legend className="mb-2 text-sm font-medium">{title}</legend>
            {fields.map(({ label, name }) => (
              <TextField
                key={name}
                label={label}
                error={formState.errors[name]?.message}
                inputMode={KEY_FAULTS[name].min < 0 ? "text" : "numeric"}
                autoComplete="off"
                placeholder="0"
                trailing={FAULT_UNITS[KEY_FAULTS[name].unit]}
                {...register(name, { validate: (entry) => faultError(name, entry) })}
              />
            ))}
          </fieldset>
        ))}
        <Checkbox
          label="Every market is halted: orders are refused, cancellations are not"
          {...register("isHalted")}
        />
        <SelectField
          label="Ends by itself after"
          value={seconds}
          options={DURATIONS}
          onChange={setSeconds}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={start.isPending}>
            {faults === null ? "Start faults" : "Change faults"}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

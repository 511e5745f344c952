import { useMutation } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import type { ApiKey } from "#contract/api-keys.ts";
import { functions } from "#contract/functions.ts";
import { formatShortDateTime, useTimeZone } from "../../../format/time.ts";
import { useBackend } from "../../../session/use-backend.ts";
import { Button } from "../../../ui/button.tsx";
import { KeptFocus } from "../../../ui/kept-focus.tsx";
import { toastSuccess } from "../../../ui/toast.ts";

/** Warns which keys have faults set, since their programs' requests then fail on purpose. */
export function FaultBanner({ keys }: { readonly keys: readonly ApiKey[] }) {
  const faulty = keys.filter(({ faults }) => faults !== null);
  if (faulty.length === 0) return null;
  return (
    <KeptFocus as="div">
      {faulty.map((key) => (
        <KeyFaultBanner key={key.keyId} apiKey={key} />
      ))}
    </KeptFocus>
  );
}

function KeyFaultBanner({ apiKey: { faults, keyId, name } }: { readonly apiKey: ApiKey }) {
  const backend = useBackend();
  const timeZone = useTimeZone();
  const end = useMutation({
    mutationFn: () => backend.mutation(functions.apiKeys.setFaults, { keyId, faults: {} }),
    onSuccess: () => toastSuccess("The faults have ended."),
  });
  if (faults === null) return null;
  return (
    <output className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-warn/40 bg-warn-soft px-3 py-2.5">
      <TriangleAlert className="size-4 shrink-0 text-warn" aria-hidden />
      <span className="min-w-0 flex-1 basis-48 text-sm text-pretty [overflow-wrap:anywhere]">
        Faults are on for “{name}” until {formatShortDateTime(faults.endsAt, timeZone)}: its
        programs suffer on purpose.
      </span>
      <Button
        size="sm"
        busy={end.isPending}
        aria-label={`End faults of ${name}`}
        onClick={() => end.mutate()}
      >
        End faults
      </Button>
    </output>
  );
}

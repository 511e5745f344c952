import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { functions } from "#contract/functions.ts";
import type { TransferCoin } from "#contract/transfers.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { errorSentence } from "../../session/error-sentence.ts";
import { useIsReadOnly } from "../../session/read-only.ts";
import { useRequests } from "../../session/requests.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toastSuccess } from "../../ui/toast.ts";

/** A coin of which so little is left that it cannot be withdrawn. */
interface Dust {
  readonly coin: string;
  readonly amount: string;
}

/** Balances too small to withdraw, which their owner may give up; nothing if there is none. */
export function DustPanel({ coins }: { readonly coins: readonly TransferCoin[] }) {
  const [chosen, setChosen] = useState<Dust | null>(null);
  const isReadOnly = useIsReadOnly();
  const all = coins.flatMap(({ coin, dust }) => (dust === null ? [] : [{ coin, amount: dust }]));
  if (all.length === 0) return null;
  return (
    <Panel title="Too little to withdraw">
      <ul aria-label="Too little to withdraw" className="divide-y">
        {all.map((dust) => (
          <li key={dust.coin} className="flex items-center gap-4 px-4 py-2.5">
            <span className="figures flex-1 text-sm">
              {formatExact(dust.amount)} {dust.coin}
            </span>
            <Button
              size="sm"
              aria-label={`Give up ${dust.coin}`}
              disabled={isReadOnly}
              onClick={() => setChosen(dust)}
            >
              Give up
            </Button>
          </li>
        ))}
      </ul>
      <p className="border-t px-4 py-2.5 text-xs text-muted">
        An account with such a rest cannot be deleted. Trade it, pay more in, or give it up.
      </p>
      {chosen === null ? null : <DustDialog dust={chosen} onClose={() => setChosen(null)} />}
    </Panel>
  );
}

function DustDialog({ dust, onClose }: { readonly dust: Dust; readonly onClose: () => void }) {
  const requests = useRequests();
  const text = `${formatExact(dust.amount)} ${dust.coin}`;
  const forfeit = useMutation({
    mutationFn: () => requests.send(functions.transfers.forfeitDust, { ...dust }),
    meta: { shownInPlace: () => true },
    onSuccess: () => {
      toastSuccess(`${text} are given up.`);
      onClose();
    },
  });
  return (
    <Dialog
      onClose={onClose}
      title={`Give up ${text}?`}
      description="They go to the exchange, for good. No one can give them back."
    >
      <FormAlert>{forfeit.error === null ? null : errorSentence(forfeit.error)}</FormAlert>
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        <Button variant="danger" busy={forfeit.isPending} onClick={() => forfeit.mutate()}>
          Give up
        </Button>
      </DialogActions>
    </Dialog>
  );
}

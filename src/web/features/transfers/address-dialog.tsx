import { useState } from "react";
import { functions } from "#contract/functions.ts";
import type { TransferOptions } from "#contract/transfers.ts";
import { useConfirmedLimit } from "../../session/confirmed-limit.ts";
import { ownRequests } from "../../session/own-requests.ts";
import { useUnsavedChanges } from "../../session/unsaved-changes.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { toastSuccess } from "../../ui/toast.ts";
import { ConfirmedForm, type RunFresh } from "./confirmed-form.tsx";

interface AddressDialogProps {
  readonly options: TransferOptions;
  readonly run: RunFresh;
  readonly onClose: () => void;
}

/** Adds an address to the caller's address book. */
export function AddressDialog({ options, run, onClose }: AddressDialogProps) {
  const ways = options.coins.flatMap((coin) =>
    coin.networks.map((network) => ({ coin, network, value: `${coin.coin} ${network.code}` })),
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const [entries, setEntries] = useState({ label: "", address: "", memo: "" });
  const [isTried, setIsTried] = useState(false);
  const limitFromNow = useConfirmedLimit();
  useUnsavedChanges(Object.values(entries).some((entry) => entry !== ""));
  const way = ways.find(({ value }) => value === chosen) ?? ways[0];
  const change = (name: keyof typeof entries) => (value: string) =>
    setEntries((before) => ({ ...before, [name]: value }));
  const missing = (name: "label" | "address", sentence: string) =>
    isTried && entries[name].trim() === "" ? sentence : undefined;
  return (
    <Dialog
      onClose={onClose}
      title="Add an address"
      description={
        options.addressWaitHours === 0
          ? "You can withdraw to it at once."
          : `You can withdraw to it ${options.addressWaitHours} hours after it was added, and get a notice now.`
      }
    >
      <ConfirmedForm
        run={run}
        submitLabel="Add address"
        onCheck={() => {
          setIsTried(true);
          return entries.label.trim() !== "" && entries.address.trim() !== "";
        }}
        onSend={async (code) => {
          const limit = limitFromNow();
          return (await ownRequests()).action(functions.transfers.addAddress, {
            ...entries,
            ...limit,
            memo: way?.network.hasMemo ? entries.memo : "",
            coin: way?.coin.coin ?? "",
            network: way?.network.code ?? "",
            ...(code !== undefined && { code }),
          });
        }}
        onDone={() => {
          toastSuccess("The address is in your book.");
          onClose();
        }}
        onCancel={onClose}
      >
        {(refused) => {
          const about = (name: string) => (refused?.name === name ? refused.message : undefined);
          return (
            <>
              <SelectField
                label="Coin and network"
                error={about("network") ?? about("coin")}
                value={way?.value ?? ""}
                options={ways.map(({ coin, network, value }) => ({
                  value,
                  label: `${coin.coin} · ${network.name}`,
                }))}
                onChange={setChosen}
              />
              <TextField
                label="Address"
                hint="Check it: what is sent to another address is lost."
                error={missing("address", "Enter the address") ?? about("address")}
                autoComplete="off"
                spellCheck={false}
                value={entries.address}
                onChange={({ currentTarget }) => change("address")(currentTarget.value)}
              />
              {way?.network.hasMemo ? (
                <TextField
                  label="Memo"
                  hint="Only if the receiver wants one."
                  error={about("memo")}
                  autoComplete="off"
                  value={entries.memo}
                  onChange={({ currentTarget }) => change("memo")(currentTarget.value)}
                />
              ) : null}
              <TextField
                label="Name"
                hint="For you, such as My bank."
                error={missing("label", "Give it a name") ?? about("label")}
                autoComplete="off"
                maxLength={60}
                value={entries.label}
                onChange={({ currentTarget }) => change("label")(currentTarget.value)}
              />
            </>
          );
        }}
      </ConfirmedForm>
    </Dialog>
  );
}

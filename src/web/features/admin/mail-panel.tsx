import { useMutation, useQuery } from "@tanstack/react-query";
import { MailCheck } from "lucide-react";
import { functions } from "#contract/functions.ts";
import type { MailQueue } from "#contract/users.ts";
import { Unreadable } from "../../session/unreadable.tsx";
import { useBackend } from "../../session/use-backend.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Panel } from "../../ui/panel.tsx";
import { SkeletonRows } from "../../ui/skeleton-rows.tsx";
import { toastSuccess } from "../../ui/toast.ts";
import { mailsQuery } from "./admin-queries.ts";
import { MailRow } from "./mail-row.tsx";
import { countsText } from "./mail-texts.ts";

/** Mails queued for the mail server, newest first, with their state and last error. */
export function MailPanel() {
  const queue = useQuery(mailsQuery(useBackend()));
  return (
    <Panel
      title="Mail"
      aside={
        queue.data === undefined ? undefined : (
          <>
            <output>{countsText(queue.data)}</output>
            {queue.data.waiting === 0 ? null : <RetryButton onDone={() => void queue.refetch()} />}
          </>
        )
      }
    >
      {queue.data !== undefined ? (
        <Mails queue={queue.data} />
      ) : queue.isError ? (
        <Unreadable what="mails" error={queue.error} onRetry={queue.refetch} />
      ) : (
        <SkeletonRows count={4} className="h-14" />
      )}
    </Panel>
  );
}

function Mails({ queue: { mails } }: { readonly queue: MailQueue }) {
  if (mails.length === 0) {
    return (
      <EmptyState
        icon={MailCheck}
        title="No mails yet"
        text="Mails to the mail server appear here for 30 days. Without a mail server they are kept in the outbox."
      />
    );
  }
  return (
    <ul aria-label="Mails" className="divide-y">
      {mails.map((mail) => (
        <MailRow key={mail.id} mail={mail} />
      ))}
    </ul>
  );
}

function RetryButton({ onDone }: { readonly onDone: () => void }) {
  const backend = useBackend();
  const retry = useMutation({
    mutationFn: () => backend.action(functions.mails.retry, {}),
    onSuccess: ({ mails }) => {
      toastSuccess(mails === 1 ? "One mail is tried again." : `${mails} mails are tried again.`);
      onDone();
    },
  });
  return (
    <Button size="sm" busy={retry.isPending} onClick={() => retry.mutate()}>
      Try again now
    </Button>
  );
}

import type { MailQueue, QueuedMail } from "#contract/users.ts";

export const STATE_LABELS = {
  waiting: { label: "Waiting", tone: "warn" },
  sent: { label: "Sent", tone: "buy" },
  failed: { label: "Not sent", tone: "sell" },
} as const satisfies Record<QueuedMail["state"], { label: string; tone: string }>;

/** Counts of the mail queue, such as "2 waiting, 1 not sent in 30 days". */
export function countsText({ waiting, failed }: Pick<MailQueue, "waiting" | "failed">): string {
  const notSent = failed === 0 ? "" : `, ${failed} not sent in 30 days`;
  return `${waiting === 0 ? "None" : waiting} waiting${notSent}`;
}

export function attemptsText(attempts: number): string {
  if (attempts === 0) return "Not tried yet.";
  return attempts === 1 ? "Tried once." : `Tried ${attempts} times.`;
}

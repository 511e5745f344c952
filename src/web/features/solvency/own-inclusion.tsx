import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ShieldAlert, ShieldCheck } from "lucide-react";
import { functions } from "#contract/functions.ts";
import type { SolvencyReport } from "#contract/solvency.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { errorSentence } from "../../session/error-sentence.ts";
import { useBackend } from "../../session/use-backend.ts";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { checkInclusion } from "./check-inclusion.ts";

interface OwnInclusionProps {
  readonly report: SolvencyReport;
  readonly isSignedIn: boolean;
  /** Rereads the report: the proof may belong to a newer one. */
  readonly onRead: () => Promise<SolvencyReport>;
}

/** Lets the user verify that the published sums include their own balances. */
export function OwnInclusion({ report, isSignedIn, onRead }: OwnInclusionProps) {
  const backend = useBackend();
  const check = useMutation({
    mutationFn: async () => {
      const proof = await backend.action(functions.solvency.proof, {});
      if (proof === null) return null;
      const current = proof.root === report.liabilities.root ? report : await onRead();
      return await checkInclusion(proof, current);
    },
    meta: { shownInPlace: () => true },
  });
  return (
    <Panel title="Your balances in it">
      <div className="grid gap-3 p-4 text-sm">
        <p className="text-muted">
          Your browser recomputes the way from your balances to the root above. Had the exchange
          left out any of them, it would not lead there. Each check uses the moment of the report,
          so what you did since is not in it.
        </p>
        {isSignedIn ? (
          <div>
            <Button variant="primary" busy={check.isPending} onClick={() => check.mutate()}>
              Check my balances
            </Button>
          </div>
        ) : (
          <p>
            <Link to="/login" className="rounded-sm text-accent underline underline-offset-2">
              Sign in
            </Link>{" "}
            to check your own.
          </p>
        )}
        <div aria-live="polite">
          {check.isError ? (
            <p className="flex items-start gap-2 text-warn">
              <ShieldAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
              {errorSentence(check.error)}
            </p>
          ) : null}
          {check.data === null ? (
            <p className="text-muted">You owned nothing when the report was taken.</p>
          ) : null}
          {check.data ? (
            <>
              <p className="flex items-start gap-2">
                <ShieldCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-buy" />
                Included in the sums that were published:
              </p>
              <dl className="mt-2 grid max-w-sm grid-cols-[auto_1fr] gap-x-6 gap-y-1 pl-6 text-xs">
                {check.data.map(({ amount, coin }) => (
                  <div key={coin} className="contents">
                    <dt className="text-muted">{coin}</dt>
                    <dd className="figures text-right">{formatExact(amount)}</dd>
                  </div>
                ))}
              </dl>
            </>
          ) : null}
        </div>
      </div>
    </Panel>
  );
}

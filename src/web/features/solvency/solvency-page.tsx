import type { ConvexQueryClient } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { SolvencyReport } from "#contract/solvency.ts";
import { formatDateTime, useTimeZone } from "../../format/time.ts";
import { Unreadable } from "../../session/unreadable.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { LoadingText, Skeleton } from "../../ui/skeleton.tsx";
import { OwnInclusion } from "./own-inclusion.tsx";
import { solvencyQuery } from "./solvency-query.ts";
import { SolvencyTable } from "./solvency-table.tsx";

interface SolvencyPageProps {
  readonly backend: ConvexQueryClient;
  readonly isSignedIn: boolean;
}

/** Publishes the exchange's liabilities, and lets users verify that their balances are included. */
export function SolvencyPage({ backend, isSignedIn }: SolvencyPageProps) {
  const { data: report, error, refetch } = useQuery(solvencyQuery(backend));
  if (report === undefined) {
    return error === null ? (
      <ReportLoading />
    ) : (
      <Unreadable what="report" error={error} onRetry={refetch} />
    );
  }
  const readAgain = async () => (await refetch({ throwOnError: true })).data ?? report;
  return (
    <div className="grid gap-4">
      <Panel title="Sums of each coin">
        <SolvencyTable coins={report.coins} />
      </Panel>
      <Facts report={report} />
      <OwnInclusion report={report} isSignedIn={isSignedIn} onRead={readAgain} />
    </div>
  );
}

function Facts({ report }: { readonly report: SolvencyReport }) {
  const timeZone = useTimeZone();
  const { liabilities, sequence, time, verifiedAt } = report;
  return (
    <Panel title="What it is taken from">
      <dl className="grid gap-x-8 gap-y-3 p-4 text-xs sm:grid-cols-2 lg:grid-cols-4">
        <Fact name="Taken">{formatDateTime(time, timeZone)}</Fact>
        <Fact name="Newest command included">{sequence}</Fact>
        <Fact name="People with a balance">{liabilities.people}</Fact>
        <Fact name="Journal last verified by a replay">
          {verifiedAt === null ? "Not yet" : formatDateTime(verifiedAt, timeZone)}
        </Fact>
        <div className="min-w-0 sm:col-span-2 lg:col-span-4">
          <dt className="text-faint">Root of the liabilities</dt>
          <dd className="mt-0.5 flex items-center gap-2">
            <code className="figures min-w-0 break-all">{liabilities.root}</code>
            <CopyButton size="sm" text={liabilities.root} aria-label="Copy the root" />
          </dd>
        </div>
      </dl>
    </Panel>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-faint">{name}</dt>
      <dd className="figures mt-0.5">{children}</dd>
    </div>
  );
}

function ReportLoading() {
  return (
    <div className="grid gap-4">
      <LoadingText />
      <Skeleton className="h-96 w-full" />
      <Skeleton className="h-36 w-full" />
      <Skeleton className="h-44 w-full" />
    </div>
  );
}

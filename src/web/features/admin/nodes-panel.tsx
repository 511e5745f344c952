import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { NodeRole, NodeState } from "#contract/nodes.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { formatDateTime, useTimeZone } from "../../format/time.ts";
import { useBackend } from "../../session/use-backend.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { nodesQuery } from "./admin-queries.ts";
import { StepDownDialog } from "./step-down-dialog.tsx";

const ROLE_LABELS = {
  leader: { label: "Leads", tone: "accent" },
  standby: { label: "Standby", tone: "buy" },
  catchingUp: { label: "Catching up", tone: "warn" },
  waiting: { label: "Waiting for an older leader", tone: "warn" },
  fenced: { label: "Fenced", tone: "warn" },
} as const satisfies Record<NodeRole, { label: string; tone: string }>;

/** The nodes of an exchange on several machines; nothing if one process runs it. */
export function NodesPanel() {
  const { data } = useQuery(nodesQuery(useBackend()));
  const [isStepping, setIsStepping] = useState(false);
  const nodes = data?.nodes ?? null;
  if (nodes === null) return null;
  const hasLeader = nodes.some(({ role }) => role === "leader");
  return (
    <Panel
      title="Nodes"
      className="lg:col-span-2"
      aside={
        <span className="flex items-center gap-3">
          {/* A node that is lost is not in the list: only the count of nodes shows that. */}
          <span className={`text-xs ${hasLeader ? "text-muted" : "text-warn"}`}>
            {hasLeader
              ? nodes.length === 1
                ? "1 node answers"
                : `${nodes.length} nodes answer`
              : "No node leads"}
          </span>
          <Button size="sm" disabled={!hasLeader} onClick={() => setIsStepping(true)}>
            Step down
          </Button>
        </span>
      }
    >
      <ul aria-label="Nodes" className="divide-y">
        {nodes.map((node) => (
          <NodeRow key={node.node} node={node} />
        ))}
      </ul>
      {isStepping ? <StepDownDialog onClose={() => setIsStepping(false)} /> : null}
    </Panel>
  );
}

function NodeRow({ node }: { readonly node: NodeState }) {
  const { label, tone } = ROLE_LABELS[node.role];
  const timeZone = useTimeZone();
  return (
    <li className="grid items-center gap-x-4 gap-y-1 px-4 py-2.5 text-xs sm:grid-cols-[6.5rem_minmax(0,1fr)_auto]">
      <Badge tone={tone} className="justify-self-start">
        {label}
      </Badge>
      <p className="wrap-anywhere min-w-0 text-text">
        {node.place}
        <span className="block text-faint">
          since{" "}
          <time dateTime={new Date(node.since).toISOString()} className="figures">
            {formatDateTime(node.since, timeZone)}
          </time>
        </span>
      </p>
      <p className="figures text-muted sm:text-right">
        term {node.term}, sequence {formatExact(node.sequence.toString())}
        <span className={`block ${node.behind === 0 ? "text-faint" : "text-warn"}`}>
          {node.behind === 0 ? "up to date" : `${formatExact(node.behind.toString())} behind`}
        </span>
      </p>
    </li>
  );
}

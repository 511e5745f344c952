/** The states of the nodes as lines for an operator. */
import type { NodeRole } from "#contract/nodes.ts";
import type { NodeStatus } from "./cluster-links.ts";

const ROLES: Readonly<Record<NodeRole, string>> = {
  leader: "leader",
  standby: "standby",
  catchingUp: "catching up",
  waiting: "waiting",
  fenced: "fenced",
};

export function describeNodes(nodes: readonly NodeStatus[]): string[] {
  if (nodes.length === 0) return ["No node answers."];
  const rows = [
    ["role", "term", "sequence", "behind", "same state at", "where"],
    ...nodes.map(({ role, term, sequence, behind, compared, place }) => [
      ROLES[role],
      String(term),
      String(sequence),
      String(behind),
      compared === undefined ? "-" : String(compared.sequence),
      place,
    ]),
  ];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join("  ")
      .trimEnd(),
  );
}

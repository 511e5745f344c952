/** The subjects and the bucket of a cluster on NATS. All belong to the exchange alone, as its journal does. */

/** Requests to the leader of a term. */
export function commandSubject(stream: string, term: number): string {
  return `cluster.${stream}.commands.${term}`;
}

/** Asks every node for its state. */
export function statusSubject(stream: string): string {
  return `cluster.${stream}.status`;
}

/** Asks the leader to step down. */
export function stepDownSubject(stream: string): string {
  return `cluster.${stream}.step-down`;
}

/** Announces to every node one node's changes in the database. */
export function changesSubject(stream: string): string {
  return `cluster.${stream}.changes`;
}

/** Announces to every node the use of limits on one node. */
export function useSubject(stream: string): string {
  return `cluster.${stream}.use`;
}

/** The key-value bucket with the lease. */
export function bucketOf(stream: string): string {
  return `${stream}-cluster`;
}

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

/** Tells every node what one has changed in the database. */
export function changesSubject(stream: string): string {
  return `cluster.${stream}.changes`;
}

/** Tells every node what clients have used of limits on one. */
export function useSubject(stream: string): string {
  return `cluster.${stream}.use`;
}

/** The key-value bucket with the lease. */
export function bucketOf(stream: string): string {
  return `${stream}-cluster`;
}

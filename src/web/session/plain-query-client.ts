/**
 * Stands in for the backend client's own pagination in the built pages, which never use it: every
 * transition is passed on as it is. See vite.config.ts.
 */
interface Transition {
  readonly queries: readonly unknown[];
}

interface PaginatedTransition extends Transition {
  readonly paginatedQueries: readonly unknown[];
}

interface Client {
  readonly addOnTransitionHandler: (handler: (transition: Transition) => void) => unknown;
}

/** Called with `new`, as the library does. */
export function PaginatedQueryClient(
  client: Client,
  onTransition: (transition: PaginatedTransition) => void,
): void {
  client.addOnTransitionHandler((transition) =>
    onTransition({ ...transition, paginatedQueries: [] }),
  );
}

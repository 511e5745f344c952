/** Leaves the pagination of the backend client's library out of the pages, which never use it. */
import type { Plugin } from "vite";

/** Every transition is passed on as it is, without paginated queries. */
export const PLAIN_QUERY_CLIENT = `export class PaginatedQueryClient {
  constructor(client, onTransition) {
    client.addOnTransitionHandler((transition) =>
      onTransition({ ...transition, paginatedQueries: [] }),
    );
  }
}
`;

export function plainQueries(): Plugin {
  return {
    name: "plain-queries",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: ({ name }) => name === "client",
    load: {
      filter: { id: /\/convex\/dist\/esm\/browser\/sync\/paginated_query_client\.js$/ },
      handler: () => PLAIN_QUERY_CLIENT,
    },
  };
}

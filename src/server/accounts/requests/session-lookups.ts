/**
 * Distinguishes a failed session lookup from a session that has ended. The library refuses both
 * with 401, upon which clients sign users out; after a failed lookup the answer asks them to retry.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { UNAVAILABLE } from "./database-outages.ts";

interface Sessions {
  findSession: (...given: never[]) => Promise<unknown>;
}

export function createSessionLookups() {
  const requests = new AsyncLocalStorage<{ hasFailed: boolean }>();
  return {
    /** Records every failed lookup from now on. */
    watch(sessions: Sessions): void {
      const { findSession } = sessions;
      sessions.findSession = async (...given) => {
        try {
          return await findSession(...given);
        } catch (error) {
          const request = requests.getStore();
          if (request !== undefined) request.hasFailed = true;
          throw error;
        }
      };
    },
    /** The answer to one request, or 503 if the answer is 401 after a failed lookup. */
    async duringRequest(run: () => Promise<Response>): Promise<Response> {
      const request = { hasFailed: false };
      const answer = await requests.run(request, run);
      if (!request.hasFailed || answer.status !== 401) return answer;
      const { status, body, headers } = UNAVAILABLE;
      return Response.json(body, { status, headers });
    },
  };
}

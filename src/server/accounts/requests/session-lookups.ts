/**
 * A failed session lookup does not mean that the session ended. The library treats both as a caller
 * without one and refuses with 401, upon which clients sign users out; here they are told to retry.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { UNAVAILABLE } from "./database-outages.ts";

interface Sessions {
  findSession: (...given: never[]) => Promise<unknown>;
}

export function createSessionLookups() {
  const requests = new AsyncLocalStorage<{ hasFailed: boolean }>();
  return {
    /** From now on records each failure to find a session. */
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
    /** The answer to one request; 503 if it refuses with 401 after such a failure. */
    async duringRequest(run: () => Promise<Response>): Promise<Response> {
      const request = { hasFailed: false };
      const answer = await requests.run(request, run);
      if (!request.hasFailed || answer.status !== 401) return answer;
      const { status, body, headers } = UNAVAILABLE;
      return Response.json(body, { status, headers });
    },
  };
}

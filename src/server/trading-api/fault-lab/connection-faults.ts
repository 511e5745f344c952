/** The faults of a WebSocket that was opened with an API key that has faults set. */
import { API_KEY_HEADER, FAULTS_HEADER } from "../header-names.ts";
import type { ConnectionFaults } from "../sockets/socket-server.ts";
import type { FaultLab } from "./fault-lab.ts";

export function connectionFaults(lab: FaultLab): ConnectionFaults {
  return {
    namedKey({ headers, url = "" }) {
      const named = headers[API_KEY_HEADER]?.toString();
      if (named !== undefined) return named;
      // A browser cannot send headers with a WebSocket.
      const at = url.indexOf("?");
      const inAddress = at === -1 ? null : new URLSearchParams(url.slice(at)).get("faults");
      return inAddress ?? undefined;
    },
    headers(apiKey) {
      const traffic = lab.trafficOf(apiKey);
      return traffic === undefined ? [] : [`${FAULTS_HEADER}: ${traffic.description}`];
    },
    isCut(apiKey, ageMs) {
      const seconds = lab.trafficOf(apiKey)?.fault("connectionSeconds") ?? 0;
      return seconds > 0 && ageMs >= seconds * 1_000;
    },
  };
}

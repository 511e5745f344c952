/**
 * Stand-in providers in place of the real ones, for a server and a browser: the server's connections are
 * routed to them and trust their certificate, and the browser resolves their hosts to this machine.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type StandIns, startStandIns } from "./stand-in-oauth.ts";
import { createStandInProviders, type StandInProviders } from "./stand-in-providers.ts";

export interface RoutedProviders extends Pick<StandInProviders, "googleToken"> {
  readonly standIns: StandIns;
  /** Value of SIGN_IN_PROVIDERS. */
  readonly providerSettings: Record<string, unknown>;
  /** Environment of the server. */
  readonly serverSettings: Readonly<Record<string, string>>;
  /** Arguments of Chromium, which must also accept the self-signed certificate. */
  readonly browserArguments: readonly string[];
  close(): Promise<void>;
}

/** @param more further hosts that the browser resolves to a port of this machine */
export async function startRoutedProviders(
  more: Readonly<Record<string, number>> = {},
): Promise<RoutedProviders> {
  const { providers, settings, googleToken } = await createStandInProviders();
  const standIns = await startStandIns(providers);
  const { hosts, port, certificate } = standIns;
  const folder = mkdtempSync(join(tmpdir(), "openbell-providers-"));
  const certificateFile = join(folder, "certificate.pem");
  writeFileSync(certificateFile, certificate.cert);
  const places = { ...Object.fromEntries(hosts.map((host) => [host, port])), ...more };
  const rules = Object.entries(places).map(([host, at]) => `MAP ${host}:443 127.0.0.1:${at}`);
  return {
    standIns,
    googleToken,
    providerSettings: JSON.parse(settings) as Record<string, unknown>,
    serverSettings: {
      NODE_OPTIONS: `--import ${pathToFileURL(resolve("test/support/route-hosts.ts")).href}`,
      NODE_EXTRA_CA_CERTS: certificateFile,
      ROUTED_HOSTS: JSON.stringify({ hosts, port }),
    },
    browserArguments: [`--host-resolver-rules=${rules.join(", ")}`],
    async close() {
      await standIns.close();
      rmSync(folder, { recursive: true });
    },
  };
}

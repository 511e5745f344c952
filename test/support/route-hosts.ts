/**
 * Loaded into a server under test with `node --import`: its TLS connections to the hosts named in
 * ROUTED_HOSTS go to a port of this machine instead. Nothing else changes: the certificate must still be
 * valid for the host's name (NODE_EXTRA_CA_CERTS names it).
 */
import tls from "node:tls";

interface RoutedHosts {
  readonly hosts: readonly string[];
  readonly port: number;
}

const { hosts, port } = JSON.parse(process.env.ROUTED_HOSTS ?? "null") as RoutedHosts;
const connect = tls.connect.bind(tls);

tls.connect = ((options: tls.ConnectionOptions, ...more: []) => {
  const isRouted = typeof options.host === "string" && hosts.includes(options.host);
  const place = isRouted ? { host: "127.0.0.1", port } : {};
  return connect({ ...options, ...place }, ...more);
}) as typeof tls.connect;

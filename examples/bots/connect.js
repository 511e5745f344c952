/**
 * A ccxt client of one Openbell, with its address and key from the environment:
 * OPENBELL_URL, OPENBELL_API_KEY and OPENBELL_SECRET.
 */
import ccxt from "ccxt";

export async function connect() {
  const {
    OPENBELL_URL: url = "http://127.0.0.1:3000",
    OPENBELL_API_KEY: apiKey,
    OPENBELL_SECRET: secret,
  } = process.env;
  const sockets = url.replace("http", "ws");
  // Every request and connection names the key, so that the fault lab reaches all of them.
  const headers = apiKey === undefined ? {} : { "X-MBX-APIKEY": apiKey };
  const exchange = new ccxt.pro.binanceus({
    apiKey,
    secret,
    headers,
    options: { ws: { options: { headers } } },
    // Every address: one that is left out would be that of a real venue, with this key.
    urls: {
      api: {
        public: `${url}/api/v3`,
        private: `${url}/api/v3`,
        sapi: `${url}/sapi/v1`,
        ws: { spot: `${sockets}/ws`, "ws-api": { spot: `${sockets}/ws-api/v3` } },
      },
    },
  });
  // ccxt opens plain ws:// connections only after this.
  await exchange.loadHttpProxyAgent();
  await exchange.loadMarkets();
  return exchange;
}

/** Ends when the process is told to stop, so that a program can put its orders in order first. */
export function stopSignal() {
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stopping.abort());
  return stopping.signal;
}

/** Appended to the URL of server function calls, so that logs and proxies can distinguish them. */
const MARKER = "createServerFn";

/** `fetch` for server function calls. */
export const serverFunctionFetch: typeof fetch = (address, init) => {
  const url = String(address instanceof Request ? address.url : address);
  return fetch(`${url}${url.includes("?") ? "&" : "?"}${MARKER}`, init);
};

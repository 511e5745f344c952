/** Marks a call of a server function in its address, beside the payload, so that logs and proxies tell it. */
const MARKER = "createServerFn";

/** `fetch` for calls of server functions. */
export const serverFunctionFetch: typeof fetch = (address, init) => {
  const url = String(address instanceof Request ? address.url : address);
  return fetch(`${url}${url.includes("?") ? "&" : "?"}${MARKER}`, init);
};

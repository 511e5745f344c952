/** Marks server function calls in the address, so that logs and proxies can tell them apart. */
const MARKER = "createServerFn";

/** `fetch` for calls of server functions. */
export const serverFunctionFetch: typeof fetch = (address, init) => {
  const url = String(address instanceof Request ? address.url : address);
  return fetch(`${url}${url.includes("?") ? "&" : "?"}${MARKER}`, init);
};

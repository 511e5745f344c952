/**
 * Dynamic imports with retries. Browsers may cache a failed import until the page is reloaded,
 * hence two precautions: nothing is imported while the server is unreachable, and an import that
 * still failed is repeated under another URL.
 */

/** Timeout of the reachability check: on a dead connection a request may never fail. */
const ANSWER_MS_MAX = 4_000;

/**
 * A loader for a module.
 * @param started the first attempt, if it has already begun
 * @returns imports the module; each call is another attempt, and rejects if it fails
 */
export function retryingLoader<Module>(
  load: () => Promise<Module>,
  started?: Promise<Module>,
): () => Promise<Module> {
  let failures = 0;
  let failedAddress: string | undefined;
  let begun = started;
  // Nothing may ever await it: a failure must not become an unhandled rejection.
  begun?.catch(() => undefined);
  return async () => {
    const first = begun;
    begun = undefined;
    if (first === undefined && !(await isServerThere())) {
      throw new Error("the server cannot be reached");
    }
    try {
      if (first !== undefined) return await first;
      if (failedAddress === undefined) return await load();
      // The file that `load` imports, so the type is the same.
      return (await import(/* @vite-ignore */ `${failedAddress}?again=${failures}`)) as Module;
    } catch (error) {
      failures += 1;
      failedAddress ??= addressIn(error);
      throw error;
    }
  };
}

export async function isServerThere(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    return (await fetch("/favicon.svg", { method: "HEAD", cache: "no-store", signal })).ok;
  } catch {
    return false;
  }
}

/**
 * The failed file's URL in the error's message. Safari does not include it, nor does it cache
 * the failure.
 */
function addressIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const url = /https?:\/\/[^\s?]+\.js/.exec(error.message)?.[0];
  return url?.startsWith(`${window.location.origin}/`) === true ? url : undefined;
}

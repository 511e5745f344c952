/**
 * Loads code, with retries. Browsers may cache the failure of an import until the page is reloaded,
 * hence two precautions: nothing is imported while the server is unreachable, and an import that
 * still failed is repeated under another address.
 */

/** A dead network answers nothing at all, not even an error. */
const ANSWER_MS_MAX = 4_000;

/**
 * @param started the first attempt, if it has begun already
 * @returns a function that imports the module; every call is another attempt, and rejects if it fails
 */
export function patientLoader<Module>(
  load: () => Promise<Module>,
  started?: Promise<Module>,
): () => Promise<Module> {
  let failures = 0;
  let failedAddress: string | undefined;
  let begun = started;
  // The page may never ask for it.
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
      // The same file as `load` imports, so the same shape.
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

/** Chromium and Firefox name the failed file; Safari does not, nor does it cache the failure. */
function addressIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const address = /https?:\/\/[^\s?]+\.js/.exec(error.message)?.[0];
  return address?.startsWith(`${window.location.origin}/`) === true ? address : undefined;
}

import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { retryingLoader } from "./retrying-loader.ts";

/** Delays before the code is requested again, which hide short interruptions. */
const RETRY_AFTER_MS: readonly number[] = [400, 1200];

interface Module<Props extends object> {
  readonly default: ComponentType<Props>;
}

type Loading<Props extends object> =
  | { readonly kind: "loading" }
  | { readonly kind: "loaded"; readonly Component: ComponentType<Props> }
  | { readonly kind: "failed"; readonly error: unknown };

interface LazyComponent<Props extends object> {
  (props: Props): ReactNode;
  /** Loads the code of a component that is about to be shown. */
  readonly prewarm: () => void;
}

/** The code of a part of the page failed to load. */
export class LoadError extends Error {
  override readonly name = "LoadError";
}

/**
 * A component whose code is loaded when it is first shown in the browser; the server renders its
 * placeholder. Unlike React's `lazy`, which caches a failure for good, every new mount tries again,
 * so that the boundary around it can offer a retry.
 *
 * @throws LoadError while rendering, if the code could not be loaded: put a PanelBoundary around
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<Module<Props>>,
  placeholder: ReactNode = null,
): LazyComponent<Props> {
  return lazyPart(load, componentOf, placeholder);
}

const componentOf = <Props extends object>({ default: Component }: Module<Props>) => Component;

/**
 * Like `lazyComponent`, for one of the components of a module that has several. No other code may
 * import the module: only files of their own keep the names under which they are requested again.
 *
 * @param started an import that is already in flight, used as the first attempt
 */
export function lazyPart<Loaded, Props extends object>(
  load: () => Promise<Loaded>,
  partOf: (loaded: Loaded) => ComponentType<Props>,
  placeholder: ReactNode = null,
  started?: Promise<Loaded>,
): LazyComponent<Props> {
  const ask = retryingLoader(load, started);
  let arrived: Loading<Props> = { kind: "loading" };
  const request = async () => {
    const loaded = await loadWithRetries(async () => partOf(await ask()));
    if (loaded.kind === "loaded") arrived = loaded;
    return loaded;
  };
  function Lazy(props: Props) {
    const [state, setState] = useState(arrived);
    useEffect(() => {
      if (state.kind !== "loading") return undefined;
      let isGone = false;
      void request().then((loaded) => {
        if (!isGone) setState(loaded);
      });
      return () => {
        isGone = true;
      };
    }, [state.kind]);
    if (state.kind === "failed") {
      throw new LoadError("a part of the page could not be loaded", { cause: state.error });
    }
    return state.kind === "loaded" ? <state.Component {...props} /> : placeholder;
  }
  return Object.assign(Lazy, {
    prewarm: () => {
      if (arrived.kind === "loading") void request();
    },
  });
}

/**
 * Like `lazyPart`, for code that every visit needs: its import starts as soon as the module runs in
 * the browser. Only for components that the server renders as their placeholder.
 */
export function preloadedPart<Loaded, Props extends object>(
  load: () => Promise<Loaded>,
  partOf: (loaded: Loaded) => ComponentType<Props>,
): LazyComponent<Props> {
  return lazyPart(load, partOf, null, typeof window === "undefined" ? undefined : load());
}

async function loadWithRetries<Props extends object>(
  ask: () => Promise<ComponentType<Props>>,
): Promise<Loading<Props>> {
  for (let failures = 0; ; failures += 1) {
    try {
      return { kind: "loaded", Component: await ask() };
    } catch (error) {
      const wait = RETRY_AFTER_MS[failures];
      if (wait === undefined) return { kind: "failed", error };
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

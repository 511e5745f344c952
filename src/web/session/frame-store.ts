/** A value with notifications of its changes. */
export interface Source<Value> {
  readonly subscribe: (listener: () => void) => () => void;
  readonly read: () => Value;
}

/**
 * Forwards a source's changes at most once per frame, and only if the value differs: hot data may
 * arrive in bursts, and a hidden page draws nothing at all.
 * @param schedule calls back at the next frame; requestAnimationFrame by default
 */
export function perFrame<Value>(
  source: Source<Value>,
  schedule: (task: () => void) => void = (task) => void requestAnimationFrame(task),
): Source<Value> {
  let shown = source.read();
  return {
    read: () => shown,
    subscribe(listener) {
      let active = true;
      let scheduled = false;
      const show = () => {
        scheduled = false;
        const next = source.read();
        if (!active || Object.is(next, shown)) return;
        shown = next;
        listener();
      };
      const unsubscribe = source.subscribe(() => {
        if (scheduled) return;
        scheduled = true;
        schedule(show);
      });
      show();
      return () => {
        active = false;
        unsubscribe();
      };
    },
  };
}

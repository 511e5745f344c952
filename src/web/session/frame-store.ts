/** A value that can be observed. */
export interface Source<Value> {
  readonly subscribe: (listener: () => void) => () => void;
  readonly read: () => Value;
}

/**
 * Limits a source's notifications to one per animation frame, and to values that differ: data may
 * change in bursts, and a hidden page draws nothing.
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

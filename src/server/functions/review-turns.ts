/** Steps of the review one after another, so that each sees the result of the one before it. */
import type { Views } from "../views/views.ts";

const last = new WeakMap<Views, Promise<unknown>>();

/** Runs after the steps on these views that were requested before, on the page or by the command line. */
export function inTurn<Result>(views: Views, run: () => Promise<Result>): Promise<Result> {
  const turn = (last.get(views) ?? Promise.resolve()).then(run);
  last.set(
    views,
    turn.catch(() => undefined),
  );
  return turn;
}

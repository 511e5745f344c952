import { classNames } from "./class-names.ts";

/** Keeps the place of something that is loading; give it the height and width of what comes. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <div aria-hidden className={classNames("animate-pulse rounded-sm bg-hover", className)} />;
}

/** Says to screen readers what skeletons show. */
export function LoadingText() {
  return <output className="sr-only">Loading</output>;
}

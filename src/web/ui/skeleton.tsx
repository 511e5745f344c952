import { classNames } from "./class-names.ts";

/** Placeholder for something that is loading; give it the height and width of the content. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <div aria-hidden className={classNames("animate-pulse rounded-sm bg-hover", className)} />;
}

/** Tells screen readers what skeletons show. */
export function LoadingText() {
  return <output className="sr-only">Loading</output>;
}

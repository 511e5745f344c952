import { classNames } from "./class-names.ts";

/** A placeholder for content that is loading; give it the content's height and width. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <div aria-hidden className={classNames("animate-pulse rounded-sm bg-hover", className)} />;
}

/** The text "Loading", for screen readers. */
export function LoadingText() {
  return <output className="sr-only">Loading</output>;
}

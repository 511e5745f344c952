/** A link over the navigation to the page's content; the first tab stop. */
export function SkipLink() {
  return (
    <a
      href="#main"
      className="fixed left-3 top-2 z-50 -translate-y-16 rounded-md bg-accent px-3 py-2 text-sm font-medium text-on-accent focus:translate-y-0"
    >
      Skip to content
    </a>
  );
}

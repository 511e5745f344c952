import { Link } from "@tanstack/react-router";
import { DownloadLink } from "../../ui/download-link.tsx";
import type { ActivityArgs } from "./activity-search.ts";

/** Links that download the viewer's activity with all rows, not only the loaded pages. */
export function ActivityDownloads({ args }: { readonly args: ActivityArgs }) {
  const { from, to, market } = args;
  return (
    <section
      aria-labelledby="downloads"
      className="flex flex-wrap items-center gap-2 border-t px-4 py-3 text-xs"
    >
      <h2 id="downloads" className="mr-1 text-muted">
        Download as CSV
      </h2>
      <DownloadLink file="activity.csv" search={{ ...args }}>
        These rows
      </DownloadLink>
      <DownloadLink file="orders.csv" search={{ market }}>
        Orders
      </DownloadLink>
      <DownloadLink file="fills.csv" search={{ market }}>
        Fills
      </DownloadLink>
      <DownloadLink file="ledger.csv">Ledger</DownloadLink>
      <DownloadLink file="tax.csv" search={{ from, to }}>
        Tax report
      </DownloadLink>
      <Link to="/statements" className="touchable ml-auto rounded-sm text-accent hover:underline">
        Monthly statements
      </Link>
    </section>
  );
}

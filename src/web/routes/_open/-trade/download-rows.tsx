import { fillFilter, type OrderFilter } from "../../../features/orders-panel/order-filter.ts";
import { DownloadLink } from "../../../ui/download-link.tsx";

interface DownloadRowsProps {
  readonly rows: "orders" | "fills";
  readonly filter: OrderFilter;
}

/** Downloads the rows of the order history or of the trades. Loaded lazily, hence the default export. */
export default function DownloadRows({ rows, filter }: DownloadRowsProps) {
  const search = rows === "orders" ? filter : fillFilter(filter);
  return (
    <DownloadLink file={`${rows}.csv`} search={{ ...search }}>
      CSV
    </DownloadLink>
  );
}

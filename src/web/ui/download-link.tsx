import { Download } from "lucide-react";
import { type MouseEvent, type ReactNode, useState } from "react";
import { buttonClass } from "./button.tsx";
import { toastError } from "./toast.ts";

type SearchValue = string | number | boolean | undefined;

interface DownloadLinkProps {
  /** File name below `/api/exports`. */
  readonly file: string;
  /** Selects the rows; undefined values are omitted from the query string. */
  readonly search?: Readonly<Record<string, SearchValue>>;
  readonly children: ReactNode;
}

/** Why the server refuses the file for now, by HTTP status. */
const REFUSAL_TEXTS: Readonly<Record<number, string>> = {
  401: "Your session has ended. Sign in again.",
  429: "Two downloads are under way. Try again when one has ended.",
  503: "The newest entries are not in the history yet. Try again in a moment.",
};
const OTHER_REASON = "The exchange could not be reached. Try again in a moment.";

/**
 * Downloads a file with all rows, which the server streams. A HEAD request comes first, because
 * browsers report nothing if a download is refused.
 */
export function DownloadLink({ file, search, children }: DownloadLinkProps) {
  const [isAsking, setIsAsking] = useState(false);
  const given = Object.entries(search ?? {}).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  const url = `/api/exports/${file}${query === "" ? "" : `?${query}`}`;
  const download = async (event: MouseEvent) => {
    // Modified clicks, such as opening in a new tab, are the browser's.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (isAsking) return;
    setIsAsking(true);
    const status = await statusOf(url);
    setIsAsking(false);
    if (status === 200) follow(url, file);
    else toastError("The file was not downloaded", REFUSAL_TEXTS[status] ?? OTHER_REASON);
  };
  return (
    <a
      href={url}
      download={file}
      aria-busy={isAsking || undefined}
      onClick={(event) => void download(event)}
      className={buttonClass({ size: "sm", className: "aria-busy:opacity-60" })}
    >
      <Download className="size-3.5" aria-hidden />
      {children}
    </a>
  );
}

/** The HTTP status; 0 without an answer. */
async function statusOf(url: string): Promise<number> {
  try {
    return (await fetch(url, { method: "HEAD" })).status;
  } catch {
    return 0;
  }
}

function follow(url: string, file: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = file;
  link.click();
}

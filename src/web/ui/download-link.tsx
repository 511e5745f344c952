import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { buttonClass } from "./button.tsx";

type SearchValue = string | number | boolean | undefined;

interface DownloadLinkProps {
  /** The file's name below `/api/exports`. */
  readonly file: string;
  /** Which rows; undefined ones are left out. */
  readonly search?: Readonly<Record<string, SearchValue>>;
  readonly children: ReactNode;
}

/** Downloads a file with all its rows, which the server sends as it reads them. */
export function DownloadLink({ file, search, children }: DownloadLinkProps) {
  const given = Object.entries(search ?? {}).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  const address = `/api/exports/${file}${query === "" ? "" : `?${query}`}`;
  return (
    <a href={address} download={file} className={buttonClass({ size: "sm" })}>
      <Download className="size-3.5" aria-hidden />
      {children}
    </a>
  );
}

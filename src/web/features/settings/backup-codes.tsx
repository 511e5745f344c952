import { Download, Printer } from "lucide-react";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { focusAtOnce } from "../../ui/focus-at-once.ts";
import { toastError } from "../../ui/toast.ts";

interface BackupCodesProps {
  readonly productName: string;
  readonly codes: readonly string[];
  /** Called once the codes were copied, printed or downloaded. */
  readonly onSaved: () => void;
}

/** Shows new backup codes, which cannot be shown again, with ways to save them. */
export function BackupCodes({ productName, codes, onSaved }: BackupCodesProps) {
  const sheet = [`${productName} backup codes`, "Each works once.", "", ...codes, ""].join("\n");
  return (
    <>
      <ul
        aria-label="Backup codes"
        className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-md border border-line-strong bg-page px-4 py-3 font-mono text-sm"
      >
        {codes.map((code) => (
          <li key={code} className="text-center select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="mt-3 grid grid-cols-3 gap-2">
        <CopyButton ref={focusAtOnce} text={sheet} onCopied={onSaved} />
        <Button
          size="sm"
          onClick={() => {
            download(
              `${productName.toLowerCase().replaceAll(/\W+/g, "-")}-backup-codes.txt`,
              sheet,
            );
            onSaved();
          }}
        >
          <Download className="size-3.5" aria-hidden />
          Download
        </Button>
        <Button
          size="sm"
          onClick={() => {
            if (printText(sheet)) onSaved();
            else toastError("Your browser did not open the page to print. Download the codes.");
          }}
        >
          <Printer className="size-3.5" aria-hidden />
          Print
        </Button>
      </div>
    </>
  );
}

function download(fileName: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}

/** Prints the codes from a window of their own. @returns whether the window could be opened */
function printText(text: string): boolean {
  const sheet = window.open("", "_blank", "popup,width=480,height=640");
  if (sheet === null) return false;
  const lines = sheet.document.createElement("pre");
  lines.textContent = text;
  sheet.document.body.append(lines);
  // Some browsers print in the background: closing the window at once would cancel it.
  sheet.addEventListener("afterprint", () => sheet.close());
  sheet.print();
  return true;
}

import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { saveFile } from "./save-file.ts";

interface ExportButtonProps {
  readonly label: string;
  readonly fileName: string;
  /** The file's media type; CSV by default. */
  readonly type?: string;
  /** The file in pieces: its first line, then a page of lines each. */
  readonly pieces: (signal: AbortSignal) => AsyncIterable<string>;
}

/** Saves a table with all its rows, however many pages they are; a second click cancels. */
export function ExportButton({ label, fileName, type = "text/csv", pieces }: ExportButtonProps) {
  const [rows, setRows] = useState(0);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const save = useMutation({
    mutationFn: async () => {
      const abort = new AbortController();
      running.current = abort;
      setRows(0);
      const saved: string[] = [];
      for await (const piece of pieces(abort.signal)) {
        if (abort.signal.aborted) return;
        setRows((before) => before + linesOf(piece));
        saved.push(piece);
      }
      saveFile(fileName, saved, type);
    },
  });
  return (
    <Button
      size="sm"
      aria-busy={save.isPending || undefined}
      onClick={() => (save.isPending ? running.current?.abort() : save.mutate())}
    >
      <Download className="size-3.5" aria-hidden />
      {save.isPending ? `${rows} rows, stop` : label}
    </Button>
  );
}

function linesOf(piece: string): number {
  return piece.split("\n").length - 1;
}

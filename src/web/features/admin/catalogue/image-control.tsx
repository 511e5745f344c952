import type { FieldControlProps } from "../../../ui/field.tsx";
import { useRef } from "react";
import { Button } from "../../../ui/button.tsx";

interface ImageControlProps {
  readonly control: FieldControlProps;
  /** The image in base64; "" for none. */
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** Upper limit of the bytes that are read; larger than any image that the server accepts. */
const FILE_BYTES_MAX = 20_000;

/** Chooses a small image file. */
export function ImageControl({ control, text, onChange }: ImageControlProps) {
  const input = useRef<HTMLInputElement>(null);
  const read = async (file: File | undefined) => {
    if (file === undefined) return;
    // A larger file is cut here; the server refuses the first part with the reason.
    const bytes = new Uint8Array(await file.slice(0, FILE_BYTES_MAX).arrayBuffer());
    onChange(btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")));
  };
  return (
    <div className="flex h-9 items-center gap-3">
      <input
        {...control}
        ref={input}
        type="file"
        accept="image/png"
        className="sr-only"
        onChange={(event) => void read(event.currentTarget.files?.[0])}
      />
      <Button size="sm" onClick={() => input.current?.click()}>
        {text === "" ? "Choose a file" : "Choose another"}
      </Button>
      {text === "" ? (
        <span className="text-xs text-muted">
          None: pages show a built-in icon, or its letters.
        </span>
      ) : (
        <>
          <span className="figures text-xs text-muted">{atob(text).length} bytes</span>
          <Button
            size="sm"
            variant="ghost"
            onClick={() => {
              if (input.current !== null) input.current.value = "";
              onChange("");
            }}
          >
            Remove
          </Button>
        </>
      )}
    </div>
  );
}

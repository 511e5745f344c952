import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button, type ButtonProps } from "./button.tsx";
import { toastError } from "./toast.ts";

interface CopyButtonProps extends Pick<ButtonProps, "aria-label" | "ref" | "size" | "variant"> {
  readonly text: string;
  readonly onCopied?: () => void;
}

/** Copies a text to the clipboard and shows that it was copied. */
export function CopyButton({ text, onCopied, ...rest }: CopyButtonProps) {
  const [copied, setCopied] = useState<string | null>(null);
  const isCopied = copied === text;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(text);
      onCopied?.();
    } catch {
      toastError("Your browser did not allow that. Select the text and copy it by hand.");
    }
  };
  return (
    <Button size="sm" onClick={() => void copy()} {...rest}>
      {isCopied ? (
        <Check className="size-3.5 text-buy" aria-hidden />
      ) : (
        <Copy className="size-3.5" aria-hidden />
      )}
      {isCopied ? "Copied" : "Copy"}
    </Button>
  );
}

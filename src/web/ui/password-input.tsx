import { Eye, EyeOff } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { Input, type InputProps } from "./input.tsx";

/** A password input whose text can be revealed, with a note while Caps Lock is on. */
export function PasswordInput(props: Omit<InputProps, "type" | "trailing">) {
  const [isShown, setIsShown] = useState(false);
  const [isCapsLockOn, setIsCapsLockOn] = useState(false);
  const readCapsLock = (event: KeyboardEvent<HTMLInputElement>) =>
    // Autofill dispatches key events that lack this method.
    setIsCapsLockOn(event.getModifierState?.("CapsLock") ?? false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <>
      <Input
        {...props}
        className="pr-1"
        type={isShown ? "text" : "password"}
        spellCheck={false}
        autoCapitalize="none"
        onKeyDown={readCapsLock}
        onKeyUp={readCapsLock}
        trailing={
          <button
            type="button"
            aria-label={isShown ? "Hide password" : "Show password"}
            className="grid size-7 place-items-center rounded-sm text-faint hover:bg-hover hover:text-text"
            onClick={() => setIsShown(!isShown)}
          >
            <Icon className="size-4" aria-hidden />
          </button>
        }
      />
      <output className={isCapsLockOn ? "text-xs text-warn" : "sr-only"}>
        {isCapsLockOn ? "Caps Lock is on." : ""}
      </output>
    </>
  );
}

/**
 * Validation in the sign-in, sign-up and settings forms before the server is called, which checks
 * again. Each function returns a sentence for the user, or undefined if the value is valid.
 */
import { isEmail } from "./email.ts";
import { siteOfPage } from "./site.ts";

const NAME_LENGTH_MAX = 80;

export function emailError(value: string): string | undefined {
  if (value.trim() === "") return "Enter your email";
  return isEmail(value.trim()) ? undefined : "Invalid email";
}

/** Validates a password that is being chosen. */
export function newPasswordError(value: string): string | undefined {
  const { passwordLengthMin = 8, passwordLengthMax = 128 } = siteOfPage();
  if (value.length < passwordLengthMin) {
    return `Use at least ${passwordLengthMin} characters that are hard to guess: three unrelated words work well`;
  }
  if (value.length > passwordLengthMax) return `Use at most ${passwordLengthMax} characters`;
  return undefined;
}

/** Validates an existing password: not empty; its length is not checked. */
export function currentPasswordError(value: string): string | undefined {
  return value === "" ? "Enter your password" : undefined;
}

export function nameError(value: string): string | undefined {
  if (value.trim() === "") return "Enter your name";
  return lastnameError(value);
}

export function lastnameError(value: string): string | undefined {
  return value.trim().length > NAME_LENGTH_MAX
    ? `Use at most ${NAME_LENGTH_MAX} characters`
    : undefined;
}

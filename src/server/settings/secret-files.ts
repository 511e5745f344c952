/**
 * Reads secrets from files: each secret setting may be given as the path of a file that contains it, in
 * NAME_FILE, as container platforms and systemd credentials provide secrets. A file is not part of the
 * process's environment, which child processes and crash reports would show.
 */
import { readNamedFile } from "../catalogue/file-problem.ts";

/** The settings that are or contain secrets. */
export const SECRET_SETTINGS = [
  "DATABASE_URL",
  "NATS_URL",
  "SMTP_URL",
  "METRICS_TOKEN",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "AUTH_SECRET",
  "SIGN_IN_PROVIDERS",
] as const;

/** The variable that names the file of a secret setting. */
export function fileSettingOf(name: string): string {
  return `${name}_FILE`;
}

interface SecretsRead {
  /** The files' contents by setting. */
  readonly values: Readonly<Record<string, string>>;
  /** A sentence for each file that cannot be used. */
  readonly refusals: readonly string[];
}

/** Reads the files named in the environment. Empty variables count as not set. */
export function readSecretFiles(environment: Record<string, string | undefined>): SecretsRead {
  const values: Record<string, string> = {};
  const refusals: string[] = [];
  for (const name of SECRET_SETTINGS) {
    const fileSetting = fileSettingOf(name);
    const path = environment[fileSetting] ?? "";
    if (path === "") continue;
    if ((environment[name] ?? "") !== "") {
      refusals.push(`The settings ${name} and ${fileSetting} are both given; keep one of them.`);
      continue;
    }
    try {
      values[name] = readSecret(path);
    } catch (error) {
      refusals.push(`The setting ${fileSetting} is wrong: ${(error as Error).message}.`);
    }
  }
  return { values, refusals };
}

/** @throws Error whose message contains the path, never the file's content */
function readSecret(path: string): string {
  const text = readNamedFile(path);
  // Editors and `echo` end a file with a newline, which is not part of the secret.
  const secret = text.replace(/\r?\n$/, "");
  if (secret === "") throw new Error(`the file ${path} is empty`);
  return secret;
}

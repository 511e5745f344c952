/** The secret that signs cookies and encrypts keys at rest. */
import { randomBytes, randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { SettingsError, type Config } from "../settings/config.ts";

/** @throws SettingsError in production without AUTH_SECRET */
export function requireAuthSecret({
  AUTH_SECRET,
  ENVIRONMENT,
}: Pick<Config, "AUTH_SECRET" | "ENVIRONMENT">): void {
  if (AUTH_SECRET !== undefined || ENVIRONMENT !== "production") return;
  throw new SettingsError(
    "The setting AUTH_SECRET is missing: production needs a random value of 32 characters or more.",
  );
}

/**
 * AUTH_SECRET, or in development one that is generated once and kept in `<dataDir>/auth-secret`,
 * readable by its owner only.
 * @throws SettingsError in production without AUTH_SECRET.
 */
export async function loadAuthSecret(
  config: Pick<Config, "AUTH_SECRET" | "ENVIRONMENT" | "DATA_DIR">,
): Promise<string> {
  requireAuthSecret(config);
  if (config.AUTH_SECRET !== undefined) return config.AUTH_SECRET;
  const path = join(config.DATA_DIR, "auth-secret");
  await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 });
  const kept = await readSecret(path);
  if (kept !== null) return kept;
  // Written in full and then linked: a crash leaves no partial secret, and if two processes start
  // at once, one wins.
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, "wx", 0o600);
  await file.writeFile(`${randomBytes(32).toString("base64url")}\n`);
  await file.sync();
  await file.close();
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await unlink(draft);
  }
  const secret = await readSecret(path);
  if (secret === null) throw new SettingsError(`The file ${path} could not be made.`);
  return secret;
}

async function readSecret(path: string): Promise<string | null> {
  try {
    const text = (await readFile(path, "utf8")).trim();
    if (text.length < 32) throw new SettingsError(`The file ${path} holds no usable secret.`);
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

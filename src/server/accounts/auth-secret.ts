/** The secret that signs cookies and encrypts keys at rest. */
import { randomBytes } from "node:crypto";
import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { SettingsError, type Config } from "../config.ts";

/**
 * AUTH_SECRET, or in development one that is made once and kept in `<dataDir>/auth-secret`, readable
 * by its owner only.
 * @throws SettingsError in production without AUTH_SECRET.
 */
export async function loadAuthSecret(
  config: Pick<Config, "AUTH_SECRET" | "ENVIRONMENT" | "DATA_DIR">,
): Promise<string> {
  if (config.AUTH_SECRET !== undefined) return config.AUTH_SECRET;
  if (config.ENVIRONMENT === "production") {
    throw new SettingsError(
      "The setting AUTH_SECRET is missing: production needs a random value of 32 characters or more.",
    );
  }
  const path = join(config.DATA_DIR, "auth-secret");
  await mkdir(config.DATA_DIR, { recursive: true });
  const kept = await readSecret(path);
  if (kept !== null) return kept;
  try {
    // "wx" fails where another process was faster; its secret is then the one.
    const file = await open(path, "wx", 0o600);
    const secret = randomBytes(32).toString("base64url");
    await file.writeFile(`${secret}\n`);
    await file.sync();
    await file.close();
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const other = await readSecret(path);
    if (other === null) throw error;
    return other;
  }
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

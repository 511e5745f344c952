import { statfs } from "node:fs/promises";

/** Bytes that the process may still write where a directory is. */
export async function freeBytesOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

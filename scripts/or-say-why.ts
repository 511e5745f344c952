import { fileProblem } from "#server/catalogue/file-problem.ts";

/** Runs an operator's command; an error prints one sentence and exits with code 1. */
export async function orSayWhy(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`);
    process.exitCode = 1;
  }
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  const isOfNamedFile = code === "EACCES" || (code === "ENOENT" && syscall === "open");
  return isOfNamedFile && path !== undefined ? fileProblem(path, error) : error.message;
}

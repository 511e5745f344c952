/** Reads a catalogue from the file that a setting or a command names. */
import { messageOf } from "../log.ts";
import { readNamedFile } from "./file-problem.ts";
import { CatalogueError, type CatalogueFile, readCatalogueFile } from "./catalogue-file.ts";
import { declareCatalogue, type DeclaredCatalogue } from "./declared-catalogue.ts";

export interface ReadCatalogue {
  readonly path: string;
  readonly file: CatalogueFile;
  readonly declared: DeclaredCatalogue;
}

/** @throws CatalogueError with the path and the problem */
export function readCatalogue(path: string): ReadCatalogue {
  let text: string;
  try {
    text = readNamedFile(path);
  } catch (error) {
    throw new CatalogueError([messageOf(error)]);
  }
  try {
    const file = readCatalogueFile(text);
    return { path, file, declared: declareCatalogue(file) };
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error;
    throw new CatalogueError([`in ${path}`, ...error.sentences]);
  }
}

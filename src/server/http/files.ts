/**
 * Serves the static files of the build from memory. Reading them once at the start fixes which
 * paths exist, so that no part of a request reaches the file system, and keeps a running server
 * consistent while a new build replaces the files.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, relative, sep } from "node:path";
import { acceptedEncodings } from "./accepted-encodings.ts";
import { HASHED_PREFIX } from "./dispatcher.ts";
import type { Handler } from "./handlers.ts";

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
  ".xml": "application/xml",
};
/** Supported content encodings, in order of preference. */
const ENCODINGS = [
  { name: "br", extension: ".br" },
  { name: "gzip", extension: ".gz" },
] as const;
/** Maximum number of tags of `if-none-match` that are compared; browsers send one. */
const TAGS_MAX = 16;
const FOREVER = "public, max-age=31536000, immutable";
const AN_HOUR = "public, max-age=3600";

interface Variant {
  readonly encoding: string | undefined;
  readonly body: Buffer;
  readonly etag: string;
}

interface StaticFile {
  readonly type: string;
  readonly cacheControl: string;
  /** The compressed variants first, the uncompressed one last. */
  readonly variants: readonly Variant[];
}

/**
 * Serves the directory's files as they are now; `x.br` and `x.gz` are compressed variants of `x`. A
 * missing directory counts as empty.
 * @param hashedPrefix path of files whose names contain a hash of their content: browsers may cache
 * them permanently
 */
export function createFiles(directory: string, hashedPrefix: string = HASHED_PREFIX): Handler {
  const files = readFiles(directory, hashedPrefix);
  return (request, response) => {
    const file = files.get(pathOf(request));
    if (file === undefined) return false;
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { allow: "GET, HEAD" }).end();
      return true;
    }
    send(file, request, response);
    return true;
  };
}

function send(file: StaticFile, request: IncomingMessage, response: ServerResponse): void {
  const accepted = acceptedEncodings(request.headers["accept-encoding"]);
  const { encoding, body, etag } = file.variants.find(
    (variant) => variant.encoding === undefined || accepted.has(variant.encoding),
  ) as Variant;
  response.setHeader("etag", etag);
  response.setHeader("cache-control", file.cacheControl);
  if (file.variants.length > 1) response.setHeader("vary", "accept-encoding");
  if (matches(request.headers["if-none-match"], etag)) {
    response.writeHead(304).end();
    return;
  }
  if (encoding !== undefined) response.setHeader("content-encoding", encoding);
  response.writeHead(200, { "content-type": file.type, "content-length": body.length });
  response.end(request.method === "HEAD" ? undefined : body);
}

function readFiles(directory: string, hashedPrefix: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  if (!existsSync(directory)) return files;
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(directory, file).split(sep).join("/")}`;
    const isVariant = ENCODINGS.some(({ extension }) => path.endsWith(extension));
    // Dot files belong to the build, such as its manifest.
    if (!entry.isFile() || isVariant || path.includes("/.")) continue;
    files.set(path, {
      type: CONTENT_TYPES[extname(path).toLowerCase()] ?? "application/octet-stream",
      cacheControl: path.startsWith(hashedPrefix) ? FOREVER : AN_HOUR,
      variants: readVariants(file),
    });
  }
  return files;
}

function readVariants(file: string): Variant[] {
  const plain = readFileSync(file);
  const hash = createHash("sha256").update(plain).digest("base64url").slice(0, 22);
  const variants: Variant[] = [];
  for (const { name, extension } of ENCODINGS) {
    if (!existsSync(file + extension)) continue;
    const body = readFileSync(file + extension);
    if (body.length < plain.length)
      variants.push({ encoding: name, body, etag: `"${hash}-${name}"` });
  }
  return [...variants, { encoding: undefined, body: plain, etag: `"${hash}"` }];
}

function pathOf(request: IncomingMessage): string {
  const [path] = (request.url ?? "").split("?", 1);
  try {
    return decodeURIComponent(path);
  } catch {
    return "";
  }
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(",", TAGS_MAX).some((part) => {
    const tag = part.trim().replace(/^W\//, "");
    return tag === etag || tag === "*";
  });
}

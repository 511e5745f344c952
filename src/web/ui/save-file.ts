/** Saves a file as a download. */
export function saveFile(name: string, pieces: BlobPart[], type: string): void {
  const address = URL.createObjectURL(new Blob(pieces, { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

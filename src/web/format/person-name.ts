/** One or two capital letters that stand for a person. */
export function initialsOf(user: {
  readonly name: string;
  readonly lastname: string;
  readonly email: string;
}): string {
  const letters = [user.name, user.lastname].map((part) => firstLetter(part)).join("");
  return letters === "" ? firstLetter(user.email) : letters;
}

function firstLetter(text: string): string {
  // By code point, so that a letter outside the basic plane is not cut in half.
  const codePoint = text.trim().codePointAt(0);
  return codePoint === undefined ? "" : String.fromCodePoint(codePoint).toUpperCase();
}

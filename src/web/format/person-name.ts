/** A user's name, of any script and length. */
interface Person {
  readonly name: string;
  readonly lastname: string;
  readonly email: string;
}

/** One or two capital initials. */
export function initialsOf({ name, lastname, email }: Person): string {
  const letters = [name, lastname].map((part) => firstLetter(part)).join("");
  return letters === "" ? firstLetter(email) : letters;
}

/** First and last name; the email address if there is none. */
export function fullNameOf({ name, lastname, email }: Person): string {
  const full = `${name.trim()} ${lastname.trim()}`.trim();
  return full === "" ? email : full;
}

function firstLetter(text: string): string {
  // By code point, so that a letter outside the basic plane is not split.
  const codePoint = text.trim().codePointAt(0);
  return codePoint === undefined ? "" : String.fromCodePoint(codePoint).toUpperCase();
}

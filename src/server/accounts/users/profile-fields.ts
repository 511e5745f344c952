/** Limits of users' profile texts, in any request body. */
const LENGTHS_MAX: Readonly<Record<string, number>> = {
  name: 100,
  lastname: 100,
  email: 254,
  newEmail: 254,
  image: 2_048,
};
/**
 * PostgreSQL stores no null character, and no name or address needs a control character: on a terminal some move
 * the cursor or turn the rest of a line around.
 */
const CONTROL_CHARACTER = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;

/** The problem with a body's texts, as `[body.field] sentence`; null if there is none. */
export function profileProblem(body: unknown): string | null {
  if (typeof body !== "object" || body === null) return null;
  for (const [field, value] of Object.entries(body)) {
    if (field === "data") {
      const inside = profileProblem(value);
      if (inside !== null) return inside;
    }
    if (typeof value !== "string") {
      const isAbsent = value === null || value === undefined;
      if (field in LENGTHS_MAX && !isAbsent) return `[body.${field}] must be a text`;
      continue;
    }
    if (CONTROL_CHARACTER.test(value)) return `[body.${field}] must have no control characters`;
    const lengthMax = LENGTHS_MAX[field];
    if (lengthMax !== undefined && value.length > lengthMax) {
      return `[body.${field}] must have at most ${lengthMax} characters`;
    }
    if (field === "image" && value !== "" && !/^https?:\/\//i.test(value)) {
      return "[body.image] must be an http or https address";
    }
  }
  return null;
}

const PHOTO_LENGTH_MAX = 65_536;

/** User data from a sign-in provider. */
interface ProviderProfile {
  readonly name?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly image?: string | null | undefined;
  readonly emailVerified?: unknown;
}

/**
 * The claims within our limits: a long name is shortened, an address or picture out of bounds is
 * dropped. Some providers send booleans as texts, and "false" is not true.
 */
export function boundedProfile<Profile extends ProviderProfile>(given: Profile): Profile {
  const { name, email, image, emailVerified } = given;
  return {
    ...given,
    name: boundedName(name),
    email: isBoundedEmail(email) ? email : undefined,
    image: isBoundedImage(image) ? image : undefined,
    emailVerified: emailVerified === true || emailVerified === "true",
  };
}

function boundedName(name: unknown): string {
  if (typeof name !== "string") return "";
  const shown = name.replaceAll(new RegExp(CONTROL_CHARACTER, "gu"), "").trim();
  return shown.slice(0, LENGTHS_MAX["name"]).toWellFormed();
}

function isBoundedEmail(email: unknown): email is string {
  return (
    typeof email === "string" &&
    /^[^\s@]+@[^\s@]+$/.test(email) &&
    profileProblem({ email }) === null
  );
}

function isBoundedImage(image: unknown): image is string {
  if (typeof image !== "string") return false;
  if (/^data:image\/(?:jpeg|png|webp);base64,/.test(image)) return image.length <= PHOTO_LENGTH_MAX;
  return profileProblem({ image }) === null;
}

/**
 * The setting SIGN_IN_PROVIDERS: a JSON object from a provider's id to this exchange's registration
 * with the provider. An entry with a `discoveryUrl` is any OpenID provider; every other id is that
 * of a built-in provider. All entries are validated at the start, so that no sign-in fails on an
 * incomplete one.
 */
import { z } from "zod";

/** Providers without a client secret: they need only a client id, or another kind of credential. */
const WITHOUT_SECRET = new Set(["cognito", "microsoft"]);
const ALSO_REQUIRED: Readonly<Record<string, readonly string[]>> = {
  cognito: ["domain", "region", "userPoolId"],
  tiktok: ["clientKey"],
};

const BUILT_IN_PROVIDERS: ReadonlySet<string> = new Set(
  (
    "apple atlassian cloudflare cognito discord dropbox facebook figma github gitlab " +
    "google huggingface kakao kick line linear linkedin microsoft naver notion paybin " +
    "paypal polar railway reddit roblox salesforce slack spotify tiktok twitch twitter " +
    "vercel vk wechat zoom"
  ).split(" "),
);

const text = z.string().min(1);
const address = z.url({ protocol: /^https?$/ });

const builtIn = z.strictObject({
  clientId: z.union([text, z.array(text).min(1)]).optional(),
  clientSecret: text.optional(),
  scope: z.array(text).optional(),
  disableDefaultScope: z.boolean().optional(),
  prompt: text.optional(),
  disableSignUp: z.boolean().optional(),
  disableImplicitSignUp: z.boolean().optional(),
  // Fields that individual providers require or offer.
  accessType: text.optional(),
  appBundleIdentifier: text.optional(),
  authority: address.optional(),
  clientKey: text.optional(),
  configId: text.optional(),
  disableProfilePhoto: z.boolean().optional(),
  domain: text.optional(),
  environment: text.optional(),
  hd: text.optional(),
  issuer: address.optional(),
  loginUrl: text.optional(),
  profilePhotoSize: z.number().int().optional(),
  region: text.optional(),
  requireClientSecret: z.boolean().optional(),
  tenantId: text.optional(),
  userPoolId: text.optional(),
});

const openId = z.strictObject({
  name: text.max(40),
  discoveryUrl: address,
  clientId: text,
  clientSecret: text.optional(),
  scopes: z.array(text).default(["openid", "email", "profile"]),
  disableSignUp: z.boolean().optional(),
  disableImplicitSignUp: z.boolean().optional(),
});

export type BuiltInSettings = z.output<typeof builtIn>;
export type OpenIdSettings = z.output<typeof openId>;

export interface ProviderSettings {
  readonly builtIn: ReadonlyMap<string, BuiltInSettings>;
  readonly openId: ReadonlyMap<string, OpenIdSettings>;
}

/** Parses the setting's JSON text. Errors name the provider and the field, never the value. */
export const providerSettings = z.string().transform((json, context): ProviderSettings => {
  const settings = { builtIn: new Map<string, BuiltInSettings>(), openId: new Map() };
  const refuse = (message: string) => context.addIssue({ code: "custom", message });
  let given: unknown;
  try {
    given = JSON.parse(json);
  } catch {
    given = null;
  }
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    refuse("must be a JSON object from provider to its settings");
    return settings;
  }
  for (const [id, entry] of Object.entries(given)) {
    const isOpenId = typeof entry === "object" && entry !== null && "discoveryUrl" in entry;
    const parsed = (isOpenId ? openId : builtIn).safeParse(entry);
    if (!parsed.success) {
      for (const { path, message } of parsed.error.issues) {
        refuse([id, ...path].join(".") + `: ${message}`);
      }
    } else if (isOpenId) {
      if (!/^[a-z0-9-]{1,40}$/.test(id) || BUILT_IN_PROVIDERS.has(id) || id === "credential") {
        refuse(`${id}: an OpenID provider needs a name of its own in a-z, 0-9 and -`);
      }
      settings.openId.set(id, parsed.data);
    } else if (BUILT_IN_PROVIDERS.has(id)) {
      const data = parsed.data as BuiltInSettings;
      for (const field of requiredOf(id)) {
        if (data[field as keyof BuiltInSettings] === undefined) refuse(`${id}.${field}: missing`);
      }
      settings.builtIn.set(id, data);
    } else {
      refuse(`${id}: no such provider; an OpenID provider needs a discoveryUrl`);
    }
  }
  return settings;
});

export const NO_PROVIDERS: ProviderSettings = { builtIn: new Map(), openId: new Map() };

function requiredOf(id: string): string[] {
  return [
    ...(id === "tiktok" ? [] : ["clientId"]),
    ...(WITHOUT_SECRET.has(id) ? [] : ["clientSecret"]),
    ...(ALSO_REQUIRED[id] ?? []),
  ];
}

import type { SiteSettings } from "#contract/page-context.ts";
import type { Config } from "../settings/config.ts";

/** The part of the configuration that pages receive. */
export function siteSettings(config: Config): SiteSettings {
  return {
    accountsPath: config.AUTH_BASE_PATH,
    backendUrl: config.BACKEND_URL ?? null,
    passwordLengthMin: config.PASSWORD_LENGTH_MIN,
    passwordLengthMax: config.PASSWORD_LENGTH_MAX,
    offers: {
      passwords: config.EMAIL_AND_PASSWORD,
      signUp: config.SIGN_UP,
      passwordReset: config.PASSWORD_RESET && config.EMAIL_AND_PASSWORD,
      emailVerification: config.EMAIL_VERIFICATION,
      emailChange: config.CHANGE_EMAIL,
      deletion: config.DELETE_USER,
    },
  };
}

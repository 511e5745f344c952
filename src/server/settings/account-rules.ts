/**
 * The account rules in which this exchange is stricter than the interface that it implements; the
 * setting ACCOUNT_RULES reverts them. docs/accounts.md lists every rule with its reason; a test
 * keeps both in step.
 */

export const ACCOUNT_RULE_SETS = ["strict", "specification"] as const;
export type AccountRuleSet = (typeof ACCOUNT_RULE_SETS)[number];

const STRICT = {
  /** A session is fresh for a while after the sign-in; otherwise after it was last extended. */
  freshFromSignIn: true,
  /**
   * A provider's identity is linked only to a user with a verified address; otherwise to any user
   * with the same address.
   */
  joinsVerifiedAddresses: true,
  /**
   * If sign-in requires a verified address, a second sign-up gets the same response as the first;
   * otherwise 422.
   */
  hidesTakenAtSignUp: true,
  /**
   * Changing to another user's address gets the same response as any other change; otherwise it is
   * refused.
   */
  hidesTakenAtChange: true,
  /** A new password that is easy to guess is refused; otherwise only its length is checked. */
  refusesWeakPasswords: true,
  /**
   * A password reset before the address was verified removes all other sign-in methods; otherwise
   * they stay.
   */
  resetEndsUnverifiedClaims: true,
  /**
   * The last administrator cannot be demoted, banned or deleted; otherwise administrators can do
   * so.
   */
  keepsLastAdmin: true,
} as const;

export type AccountRule = keyof typeof STRICT;
export type AccountRules = Readonly<Record<AccountRule, boolean>>;

export const ACCOUNT_RULES = Object.keys(STRICT) as AccountRule[];

const SPECIFICATION = Object.fromEntries(
  ACCOUNT_RULES.map((rule) => [rule, false]),
) as AccountRules;

export function accountRulesOf(set: AccountRuleSet): AccountRules {
  return set === "strict" ? STRICT : SPECIFICATION;
}

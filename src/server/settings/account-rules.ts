/**
 * Where this exchange is stricter than the interface it implements, and how to revert each rule:
 * the setting ACCOUNT_RULES. docs/accounts.md lists every entry with its reason; a test keeps them
 * equal.
 */

export const ACCOUNT_RULE_SETS = ["strict", "specification"] as const;
export type AccountRuleSet = (typeof ACCOUNT_RULE_SETS)[number];

const STRICT = {
  /** A session is fresh for a while after the sign-in; else after it was last extended. */
  freshFromSignIn: true,
  /** A provider's account joins only a user with a verified address; else any with the same address. */
  joinsProvenAddresses: true,
  /** If sign-in requires a verified address, a second sign-up looks like the first; else 422. */
  hidesTakenAtSignUp: true,
  /** Changing to another user's address looks like any other change; else it is refused. */
  hidesTakenAtChange: true,
  /** A new password that is easy to guess is refused; else only its length counts. */
  refusesWeakPasswords: true,
  /** A reset before the address was verified ends all other sign-in methods; else those stay. */
  resetEndsUnprovenClaims: true,
  /** The last administrator cannot be demoted, banned or deleted; else administrators may do so. */
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

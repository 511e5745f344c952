/**
 * Where this exchange is stricter than the interface that it implements, and what switches each back: the
 * setting ACCOUNT_RULES. docs/accounts.md lists every entry with its reason; a test holds the two equal.
 */

export const ACCOUNT_RULE_SETS = ["strict", "specification"] as const;
export type AccountRuleSet = (typeof ACCOUNT_RULE_SETS)[number];

const STRICT = {
  /** A session is fresh for a while after the sign-in; else after it was last extended. */
  freshFromSignIn: true,
  /** A provider's account joins a user with a proven address only; else any with the same address. */
  joinsProvenAddresses: true,
  /** Where sign-in waits for a verified address, a second sign-up looks like the first; else 422. */
  hidesTakenAtSignUp: true,
  /** Changing to another user's address looks like any change; else it is refused. */
  hidesTakenAtChange: true,
  /** A new password that is easy to guess is refused; else only its length counts. */
  refusesWeakPasswords: true,
  /** A reset before the address was proven ends every other way in; else those stay. */
  resetEndsUnprovenClaims: true,
  /** The last administrator is not demoted, banned or deleted; else administrators may do all of it. */
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

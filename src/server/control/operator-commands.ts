/** `openbell users|coins|plans|markets|adjustments|transfers …`: sends operator commands to a running exchange. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { type ControlAnswer, askExchange } from "./control-socket.ts";

export const OPERATOR_USAGE = `  openbell users list      [--search WORDS] [--role admin|user] [--banned]
      print users, the newest first
  openbell users show      USER
      print a user's plan and balances; USER is an email address or an id
  openbell users freeze    USER --reason TEXT [--cancel-orders]
  openbell users unfreeze  USER --reason TEXT
      stop an account's orders and changes of plan, or allow them again
  openbell users plan      USER PLAN --reason TEXT
      give a user a plan, at no charge
  openbell users ban       USER --reason TEXT [--days N]
  openbell users unban     USER
      keep a user from signing in, for a time or until it is lifted, or allow it again
  openbell users role      USER admin|user
      make a user an administrator, or an administrator a user
  openbell users reset-password  USER
      give a user a new password, which is printed once, and sign them out everywhere
  openbell coins list
  openbell plans list
  openbell markets list
      likewise openbell coins|plans|markets show NAME: print one in the words of a catalogue file
  openbell coins|plans|markets change  NAME FIELD=VALUE… [--confirm --reason TEXT]
      say what that would change, and with --confirm change it; a NAME that is not there is listed.
      Fields are those of a catalogue file, such as takerFeeBps=12 or breaker.bps=500; none takes an
      optional one away
  openbell markets set       NAME STATE [--minutes N] --reason TEXT
      set a market's state, for a time or until it is changed
  openbell markets schedule  NAME [--step "TIME STATE [MINUTES]"]… --reason TEXT
      replace what the market does later, such as --step "2026-12-01T14:00Z closed"; without steps it
      has no schedule
  openbell adjustments list
  openbell adjustments propose  USER COIN AMOUNT --as ADMINISTRATOR --reason TEXT
      propose to change a balance; another administrator approves it on the page
  openbell adjustments reject   NUMBER
  openbell transfers list
      print the deposits and withdrawals that have not ended
  openbell transfers record   NUMBER AMOUNT --receipt TEXT --as ADMINISTRATOR --reason TEXT
  openbell transfers send     NUMBER --receipt TEXT --as ADMINISTRATOR --reason TEXT
  openbell transfers approve|reject|pay|settle|return  NUMBER --as ADMINISTRATOR --reason TEXT
      take a step of their review in an administrator's name; the second of two steps is taken by
      another administrator on the page
`;

type Options = NonNullable<ParseArgsConfig["options"]>;
interface Given {
  readonly names: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
}

interface OperatorCommand {
  /** Names of the positional arguments, in order. */
  readonly names: readonly string[];
  /** Whether further positional arguments are accepted. */
  readonly takesMore?: true;
  readonly options?: Options;
  readonly path: string;
  readonly body: (given: Given) => object | Promise<object>;
}

const TEXT = { type: "string" } as const;
const FLAG = { type: "boolean" } as const;

const freeze = (frozen: boolean): OperatorCommand => ({
  names: ["USER"],
  options: { reason: TEXT, ...(frozen && { "cancel-orders": FLAG }) },
  path: "/users/freeze",
  body: ({ names: [user], values }) => ({
    user,
    frozen,
    cancelOrders: values["cancel-orders"] === true,
    reason: values["reason"] ?? "",
  }),
});

const ofUser = (path: string): OperatorCommand => ({
  names: ["USER"],
  path,
  body: ({ names: [user] }) => ({ user }),
});

const list = (path: string): OperatorCommand => ({ names: [], path, body: () => ({}) });

const entry = (noun: string): Record<string, OperatorCommand> => ({
  list: list(`/${noun}/list`),
  show: { names: ["NAME"], path: `/${noun}/show`, body: ({ names: [name] }) => ({ name }) },
  change: {
    names: ["NAME", "FIELD=VALUE"],
    takesMore: true,
    options: { confirm: FLAG, reason: TEXT },
    path: `/${noun}/change`,
    body: async ({ names: [name, ...fields], values }) => ({
      name,
      fields: Object.fromEntries(await Promise.all(fields.map(fieldOf))),
      isConfirmed: values["confirm"] === true,
      reason: values["reason"],
    }),
  },
});

/** A step of the review of a deposit or withdrawal. */
const step = (
  path: string,
  fields: object,
  names: readonly string[],
  options: Options = {},
): OperatorCommand => ({
  names: ["NUMBER", ...names],
  options: { as: TEXT, reason: TEXT, ...options },
  path,
  body: ({ names: [number, amount], values }) => ({
    transferId: Number(number),
    ...(amount !== undefined && { amount }),
    ...(options["receipt"] !== undefined && { receipt: values["receipt"] ?? "" }),
    ...fields,
    as: values["as"] ?? "",
    reason: values["reason"] ?? "",
  }),
});
const decide = (name: string) => step("/transfers/decide", { step: name }, []);

/** The operator's commands, by noun and verb. */
export const OPERATOR_COMMANDS: Readonly<
  Record<string, Readonly<Record<string, OperatorCommand>>>
> = {
  users: {
    list: {
      names: [],
      options: { search: TEXT, role: TEXT, banned: FLAG },
      path: "/users/list",
      body: ({ values }) => values,
    },
    show: ofUser("/users/show"),
    ban: {
      names: ["USER"],
      options: { days: TEXT, reason: TEXT },
      path: "/users/ban",
      body: ({ names: [user], values }) => ({
        user,
        ...(values["days"] !== undefined && { days: Number(values["days"]) }),
        reason: values["reason"] ?? "",
      }),
    },
    unban: ofUser("/users/unban"),
    role: {
      names: ["USER", "ROLE"],
      path: "/users/role",
      body: ({ names: [user, role] }) => ({ user, role }),
    },
    "reset-password": ofUser("/users/reset-password"),
    freeze: freeze(true),
    unfreeze: freeze(false),
    plan: {
      names: ["USER", "PLAN"],
      options: { reason: TEXT },
      path: "/users/plan",
      body: ({ names: [user, plan], values }) => ({ user, plan, reason: values["reason"] ?? "" }),
    },
  },
  coins: entry("coins"),
  plans: entry("plans"),
  markets: {
    ...entry("markets"),
    set: {
      names: ["NAME", "STATE"],
      options: { minutes: TEXT, reason: TEXT },
      path: "/markets/set",
      body: ({ names: [market, status], values }) => ({
        market,
        status,
        ...(values["minutes"] !== undefined && { minutes: Number(values["minutes"]) }),
        reason: values["reason"] ?? "",
      }),
    },
    schedule: {
      names: ["NAME"],
      options: { step: { type: "string", multiple: true }, reason: TEXT },
      path: "/markets/schedule",
      body: ({ names: [market], values }) => ({
        market,
        steps: [values["step"] ?? []].flat().map((step) => stepOf(String(step))),
        reason: values["reason"] ?? "",
      }),
    },
  },
  adjustments: {
    list: list("/adjustments/list"),
    propose: {
      names: ["USER", "COIN", "AMOUNT"],
      options: { as: TEXT, reason: TEXT },
      path: "/adjustments/propose",
      body: ({ names: [user, coin, amount], values }) => ({
        user,
        coin,
        amount,
        as: values["as"] ?? "",
        reason: values["reason"] ?? "",
      }),
    },
    reject: {
      names: ["NUMBER"],
      path: "/adjustments/reject",
      body: ({ names: [number] }) => ({ adjustmentId: Number(number) }),
    },
  },
  transfers: {
    list: list("/transfers/list"),
    record: step("/transfers/record", {}, ["AMOUNT"], { receipt: TEXT }),
    send: step("/transfers/send", {}, [], { receipt: TEXT }),
    approve: decide("approve"),
    reject: decide("reject"),
    pay: decide("pay"),
    settle: decide("settle"),
    return: decide("return"),
  },
};

export const OPERATOR_NOUNS = Object.keys(OPERATOR_COMMANDS);

/** @throws Error with a sentence for the operator */
export async function askAsOperator(
  noun: string,
  [verb = "", ...args]: readonly string[],
  dataDirOf: (given: string | undefined) => Promise<string>,
): Promise<ControlAnswer> {
  const verbs = OPERATOR_COMMANDS[noun];
  if (!Object.hasOwn(verbs, verb)) {
    throw new Error(`Say what to do with ${noun}: ${Object.keys(verbs).join(", ")}.`);
  }
  const command = verbs[verb];
  // A negative amount, always the last argument, is not an option.
  const isAmount = (arg: string) => /^-\d/.test(arg);
  const { values, positionals } = parseArgs({
    args: [...args.filter((arg) => !isAmount(arg)), "--", ...args.filter(isAmount)],
    options: { data: TEXT, ...command.options },
    allowPositionals: true,
  });
  const { data, ...others } = values;
  const isWhole =
    command.takesMore === true
      ? positionals.length >= command.names.length
      : positionals.length === command.names.length;
  if (!isWhole) throw new Error(`Say: openbell ${[noun, verb, ...command.names].join(" ")}`);
  const body = await command.body({ names: positionals, values: others });
  return askExchange(await dataDirOf(data), command.path, JSON.stringify(body));
}

/** Parses FIELD=VALUE; the value is read as in a catalogue file, and "none" removes the field. */
async function fieldOf(text: string): Promise<[string, unknown]> {
  const at = text.indexOf("=");
  if (at < 1) throw new Error(`${text} must be FIELD=VALUE.`);
  const value = text.slice(at + 1);
  // Loaded here, so that every other command starts sooner.
  const { parse } = await import("yaml");
  return [text.slice(0, at), value === "none" ? null : parse(value, { maxAliasCount: 0 })];
}

function stepOf(text: string): object {
  const [at = "", status, minutes] = text.trim().split(/\s+/);
  const time = new Date(at);
  // A time without a zone would depend on the machine's time zone.
  if (Number.isNaN(time.getTime()) || !/(Z|[+-]\d\d:\d\d)$/.test(at)) {
    throw new Error(`${text} must begin with a time in UTC, such as 2026-12-01T14:00Z.`);
  }
  return {
    at: time.toISOString(),
    status,
    ...(minutes !== undefined && { minutes: Number(minutes) }),
  };
}

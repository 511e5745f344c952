import { ChevronDown } from "lucide-react";
import type { VenueInfo } from "#contract/types.ts";

type Funds = VenueInfo["funds"];

interface FundsProps {
  readonly funds: Funds;
}

interface QuestionsProps extends FundsProps {
  /** Whether any market is. */
  readonly simulated: boolean;
}

const FUNDING: Readonly<Record<Funds, { readonly title: string; readonly text: string }>> = {
  practice: {
    title: "Take practice funds",
    text: "Once a day, from the dashboard. They arrive as a posting in the ledger, like everything else.",
  },
  funded: {
    title: "Pay in",
    text: "Announce a deposit, and pay it with its reference. An administrator credits what arrived.",
  },
  both: {
    title: "Take practice funds, or pay in",
    text: "Practice funds once a day, from the dashboard; or announce a deposit and pay it with its reference.",
  },
};

const stepsWith = (funds: Funds) => [
  {
    title: "Create an account",
    text: `An email address and a password.${funds === "practice" ? " No card, no documents for a practice account." : ""}`,
  },
  FUNDING[funds],
  {
    title: "Place an order",
    text: "It rests in a real order book or fills against it. Balance, portfolio and history follow at once.",
  },
];

export function HowItWorks({ funds }: FundsProps) {
  return (
    <ol className="grid gap-px overflow-hidden rounded-lg border bg-line md:grid-cols-3">
      {stepsWith(funds).map(({ title, text }, index) => (
        <li key={title} className="bg-surface p-5">
          <span aria-hidden className="figures text-xs text-accent">
            {index + 1}
          </span>
          <h3 className="mt-2 text-sm font-semibold">{title}</h3>
          <p className="mt-1.5 text-sm text-muted">{text}</p>
        </li>
      ))}
    </ol>
  );
}

const PRACTICE_ANSWER =
  "Not with practice funds: they have no value outside this exchange and cannot be withdrawn. The order book, the matching, the fees and the ledger are the real thing.";
const FUNDED_ANSWER =
  "Funded coins are what people paid in and can withdraw. The operator of this exchange holds them: it is no bank, and no fund protects them. The page Solvency says how much is owed.";
const IS_REAL: Readonly<Record<Funds, string>> = {
  practice: PRACTICE_ANSWER,
  funded: FUNDED_ANSWER,
  both: `${PRACTICE_ANSWER} ${FUNDED_ANSWER}`,
};

const OWN_PRICES = "From trades in this exchange's own order books.";
const SIMULATED_PRICES =
  "Where a market is marked SIMULATED, software participants trade there under the same rules and through the same orders as everyone else.";

const QUESTIONS = [
  {
    question: "What does a trade cost?",
    answer:
      "The maker or taker fee of your plan, taken from what you receive. It is fixed when the order is placed and shown before you send it. Resting orders and cancels cost nothing.",
  },
  {
    question: "What happens to my orders if the server stops?",
    answer:
      "Nothing is confirmed before it is written to disk. After a restart every confirmed order, fill and balance is as it was.",
  },
  {
    question: "Can a balance be wrong?",
    answer:
      "Every change is a posting with equal debits and credits in whole smallest units, and the sum over all accounts of each coin is checked to be zero. Each row of your activity opens its postings.",
  },
] as const;

export function Questions({ funds, simulated }: QuestionsProps) {
  const questions = [
    { question: "Is this real money?", answer: IS_REAL[funds] },
    {
      question: "Where do the prices come from?",
      answer: simulated ? `${OWN_PRICES} ${SIMULATED_PRICES}` : OWN_PRICES,
    },
    ...QUESTIONS,
  ];
  return (
    <div className="divide-y rounded-lg border bg-surface">
      {questions.map(({ question, answer }) => (
        <details key={question} className="group">
          <summary className="flex cursor-pointer list-none items-center justify-between gap-4 px-5 py-4 text-sm font-medium hover:bg-hover [&::-webkit-details-marker]:hidden">
            {question}
            <ChevronDown
              className="size-4 shrink-0 text-faint transition-transform group-open:rotate-180"
              aria-hidden
            />
          </summary>
          <p className="max-w-3xl px-5 pb-5 text-sm text-muted">{answer}</p>
        </details>
      ))}
    </div>
  );
}

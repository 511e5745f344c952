/** Converts between the fault lab's form and the faults of a key. */
import {
  KEY_FAULT_NAMES,
  KEY_FAULTS,
  type KeyFaultName,
  type KeyFaults,
} from "#contract/key-faults.ts";

interface FaultField {
  readonly name: KeyFaultName;
  readonly label: string;
}

interface FaultGroup {
  readonly title: string;
  readonly fields: readonly FaultField[];
}

/** The numeric faults, grouped as in the dialog. */
export const FAULT_GROUPS: readonly FaultGroup[] = [
  {
    title: "Requests",
    fields: [
      { name: "latencyMs", label: "Latency" },
      { name: "jitterMs", label: "Jitter, on top" },
      { name: "cutPercent", label: "Cut off, nothing done" },
      { name: "rateLimitPercent", label: "Refused with 429" },
    ],
  },
  {
    title: "Answers to orders and cancellations that were carried out",
    fields: [
      { name: "lostAnswerPercent", label: "Lost" },
      { name: "lateAnswerPercent", label: "Late" },
      { name: "lateAnswerMs", label: "How late" },
    ],
  },
  {
    title: "Streams and market data",
    fields: [
      { name: "connectionSeconds", label: "Sockets cut after" },
      { name: "staleDepthMs", label: "Books are old by" },
      { name: "depthGapPercent", label: "Book updates left out" },
      { name: "clockSkewMs", label: "Clock is ahead by" },
    ],
  },
];

export const FAULT_UNITS = {
  ms: "ms",
  percent: "%",
  seconds: "s",
  switch: "",
} as const satisfies Record<(typeof KEY_FAULTS)[KeyFaultName]["unit"], string>;

/** Values as typed, by fault; "" if the fault is off. */
export type FaultEntries = Readonly<Record<KeyFaultName, string>>;

export function faultEntriesOf(faults: KeyFaults | undefined): FaultEntries {
  const textOf = (name: KeyFaultName) => {
    const value = faults?.[name] ?? 0;
    return value === 0 ? "" : String(value);
  };
  return Object.fromEntries(KEY_FAULT_NAMES.map((name) => [name, textOf(name)])) as Record<
    KeyFaultName,
    string
  >;
}

/** The faults to set; the entries must be free of errors. */
export function faultsOf(entries: FaultEntries): KeyFaults {
  return Object.fromEntries(
    KEY_FAULT_NAMES.map((name) => [name, Number(entries[name])]),
  ) as KeyFaults;
}

export function faultError(name: KeyFaultName, entry: string): string | undefined {
  const { max, min } = KEY_FAULTS[name];
  const isInteger = /^-?\d{0,6}$/.test(entry.trim());
  const value = Number(entry);
  return isInteger && value >= min && value <= max
    ? undefined
    : `A whole number from ${min} to ${max}`;
}

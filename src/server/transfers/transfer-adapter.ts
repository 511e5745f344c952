/** The port through which funded coins enter and leave; one adapter is in use (FUNDED_MODE). */
import type { Transfer } from "#engine/commands.ts";
import type { CoinNetwork } from "#engine/commands.ts";

export interface DepositInstructions {
  /** Identifies the deposit where it arrives. */
  readonly reference: string;
  /** How to pay, as text. */
  readonly text: string;
}

export interface TransferAdapter {
  /** Instructions for a deposit announced on this network of its coin. */
  instructionsFor(transfer: Transfer, network: CoinNetwork | undefined): DepositInstructions;
  /** The id of the deposit with a payer's reference; undefined if none. */
  transferOf(reference: string): number | undefined;
}

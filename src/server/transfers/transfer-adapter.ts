/** The port through which funded coins reach the world outside; one adapter is in use (FUNDED_MODE). */
import type { Transfer } from "#engine/commands.ts";
import type { CoinNetwork } from "#engine/commands.ts";

export interface DepositInstructions {
  /** What identifies the deposit where it arrives. */
  readonly reference: string;
  /** What the payer does, in words. */
  readonly text: string;
}

export interface TransferAdapter {
  /** For a deposit that is announced on this network of its coin. */
  instructionsFor(transfer: Transfer, network: CoinNetwork | undefined): DepositInstructions;
  /** The deposit that a payer's reference names; undefined if it names none. */
  transferOf(reference: string): number | undefined;
}

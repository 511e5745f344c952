import type { PlaceOrder, Side } from "#engine/commands.ts";
import { type Views, type ViewsOptions } from "#server/views/views.ts";
import { type InProcessExchange } from "./in-process-exchange.ts";
/** A Monday. */
export declare const SCENE_START: number;
export interface Scene {
    readonly exchange: InProcessExchange;
    readonly views: Views;
    /** Opens the account of a person, or of a participant, with so much of each coin. */
    open(userId: string, coins?: Record<string, string>): number;
    place(order: SceneOrder): ReturnType<InProcessExchange["run"]>;
    wait(milliseconds: number): void;
}
export interface SceneOrder {
    readonly account: number;
    readonly side: Side;
    readonly market?: string;
    /** A market order without it. */
    readonly price?: string;
    readonly quantity?: string;
    readonly quoteAmount?: string;
    readonly changes?: Partial<PlaceOrder>;
    readonly idempotencyKey?: string;
}
export declare function createScene(options?: ViewsOptions): Scene;

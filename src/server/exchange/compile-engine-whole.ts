/**
 * Lets V8 compile an order's path through the engine as one unit. By default V8 stops inlining
 * called functions after 920 bytes of bytecode, and a placement that trades has some 5 000; numbers
 * that cross the remaining calls are boxed and unboxed each time (docs/decisions/013).
 *
 * Import this file for its side effect before the engine runs. The limit applies to the whole
 * process, where it costs other hot functions some compile time, once, and nothing else.
 */
import { setFlagsFromString } from "node:v8";

const INLINED_BYTECODE_BYTES = 6000;

setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${INLINED_BYTECODE_BYTES}`);

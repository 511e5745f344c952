/**
 * Lets V8 compile an order's way through the engine as one piece. By itself it stops putting called
 * functions into their callers after 920 bytes of bytecode, where a placement that trades has some
 * 5 000; the numbers that cross the calls in between are boxed and unboxed each time
 * (docs/decisions/013).
 *
 * Import it for its effect before the engine works. The limit counts for the whole process, where it
 * costs other hot functions some time to compile, once, and nothing else.
 */
import { setFlagsFromString } from "node:v8";

const INLINED_BYTECODE_BYTES = 6000;

setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${INLINED_BYTECODE_BYTES}`);

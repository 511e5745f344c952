/** A property that fails has noticed its fault; the shortest sequence that shows it is of no interest. */
import { configureGlobal } from "fast-check";

configureGlobal({ endOnFailure: true });

/** Headers of the trading API that several of its parts know. */

/** Names the key of a request. */
export const API_KEY_HEADER = "x-mbx-apikey";
/** The faults that a key has, in answers to requests that name it. */
export const FAULTS_HEADER = "x-openbell-faults";

/** Names of HTTP headers that several modules of the trading API use. */

/** Contains the API key of a request. */
export const API_KEY_HEADER = "x-mbx-apikey";
/** Contains the key's active faults, in answers to requests that name the key. */
export const FAULTS_HEADER = "x-openbell-faults";

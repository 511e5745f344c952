/** What the tests use of a package that comes without types; its answers are judged by the tests. */
declare module "@binance/connector" {
  import type { Console } from "node:console";

  type Parameters = Readonly<Record<string, unknown>>;
  interface Response {
    readonly status: number;
    readonly data: unknown;
    readonly headers: Readonly<Record<string, string>>;
  }
  interface Options {
    readonly baseURL?: string;
    readonly logger?: Console;
  }

  export class Spot {
    constructor(apiKey: string, apiSecret: string, options: Options);
    ping(): Promise<Response>;
    time(): Promise<Response>;
    exchangeInfo(options?: Parameters): Promise<Response>;
    depth(symbol: string, options?: Parameters): Promise<Response>;
  }
}

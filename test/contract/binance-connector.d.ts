/** What the tests use of a package that comes without types; its answers are judged by the tests. */
declare module "@binance/connector" {
  type Parameters = Readonly<Record<string, unknown>>;
  interface Response {
    readonly status: number;
    readonly data: unknown;
    readonly headers: Readonly<Record<string, string>>;
  }
  type OfMarket = (symbol: string, options?: Parameters) => Promise<Response>;
  type OfAll = (options?: Parameters) => Promise<Response>;

  export class Spot {
    constructor(apiKey: string, apiSecret: string, options: { readonly baseURL: string });
    ping: OfAll;
    time: OfAll;
    exchangeInfo: OfAll;
    depth: OfMarket;
    trades: OfMarket;
    historicalTrades: OfMarket;
    aggTrades: OfMarket;
    klines(symbol: string, interval: string, options?: Parameters): Promise<Response>;
    uiklines(symbol: string, interval: string, options?: Parameters): Promise<Response>;
    avgPrice: OfMarket;
    ticker24hr(symbol?: string, symbols?: readonly string[], type?: string): Promise<Response>;
    tickerPrice(symbol?: string, symbols?: readonly string[]): Promise<Response>;
    bookTicker(symbol?: string, symbols?: readonly string[]): Promise<Response>;
    rollingWindowTicker(
      symbol?: string,
      symbols?: readonly string[],
      options?: Parameters,
    ): Promise<Response>;
    newOrder(symbol: string, side: string, type: string, options: Parameters): Promise<Response>;
    newOrderTest(
      symbol: string,
      side: string,
      type: string,
      options: Parameters,
    ): Promise<Response>;
    cancelOrder: OfMarket;
    cancelOpenOrders: OfMarket;
    getOrder: OfMarket;
    cancelAndReplace(
      symbol: string,
      side: string,
      type: string,
      mode: string,
      options: Parameters,
    ): Promise<Response>;
    newOCOOrder(
      symbol: string,
      side: string,
      quantity: string,
      aboveType: string,
      belowType: string,
      options: Parameters,
    ): Promise<Response>;
    cancelOCOOrder: OfMarket;
    getOCOOrder: OfAll;
    getOCOOrders: OfAll;
    getOpenOCOOrders: OfAll;
    openOrders: OfAll;
    allOrders: OfMarket;
    account: OfAll;
    myTrades: OfMarket;
    orderCount: OfAll;
    tradeFee: OfAll;
    coinInfo: OfAll;
    systemStatus: OfAll;
    apiPermissions: OfAll;
  }

  interface SocketOptions {
    readonly wsURL: string;
    readonly combinedStreams?: boolean;
    readonly callbacks: {
      readonly open?: () => void;
      readonly message: (text: string) => void;
    };
    readonly logger?: Pick<Console, "debug" | "error" | "info" | "warn">;
  }

  class Socket {
    isConnected(): boolean;
    disconnect(): void;
  }

  export class WebsocketStream extends Socket {
    constructor(options: SocketOptions);
    subscribe(streams: string | readonly string[]): void;
    unsubscribe(streams: string | readonly string[]): void;
  }

  export class WebsocketAPI extends Socket {
    constructor(apiKey: string, apiSecret: string, options: SocketOptions);
    /** By its id. */
    newOrder(symbol: string, side: string, type: string, options: Parameters): void;
    sendSignatureMessage(method: string, options: Parameters): void;
    startUserDataStream(): void;
    pingUserDataStream(listenKey: string): void;
    stopUserDataStream(listenKey: string): void;
    account(options: Parameters): void;
    orderbook(symbol: string, options: Parameters): void;
    getOrder(symbol: string, options: Parameters): void;
    openOrders(symbol: string, options: Parameters): void;
    orderHistory(symbol: string, options: Parameters): void;
    myTrades(symbol: string, options: Parameters): void;
    cancelReplaceOrder(
      symbol: string,
      mode: string,
      side: string,
      type: string,
      options: Parameters,
    ): void;
    cancelOrder(symbol: string, options: Parameters): void;
    cancelOpenOrders(symbol: string, options: Parameters): void;
  }
}

/** The coins that a fresh exchange lists. Scales keep each asset's whole supply below 2^53 units. */
import type { CoinDefinition } from "#engine/commands.ts";

/** What balances, fees and volumes are valued in. */
export const SETTLEMENT_COIN = "USD";

function crypto(
  symbol: string,
  name: string,
  scale: number,
  displayDecimals: number,
  website: string,
  description: string,
): CoinDefinition {
  return {
    symbol,
    name,
    kind: "crypto",
    status: "listed",
    scale,
    displayDecimals,
    description,
    website,
    riskNote: "Prices of crypto assets can fall to zero.",
  };
}

export const COINS: readonly CoinDefinition[] = [
  {
    symbol: SETTLEMENT_COIN,
    name: "US Dollar",
    kind: "fiat",
    status: "listed",
    scale: 6,
    displayDecimals: 2,
    description: "Practice dollars: the currency that prices and balances are counted in.",
    website: "",
    riskNote: "Practice dollars have no value outside this exchange.",
  },
  crypto("BTC", "Bitcoin", 8, 8, "https://bitcoin.org", "The first decentralised digital money, secured by proof of work."),
  crypto("ETH", "Ethereum", 8, 8, "https://ethereum.org", "A network for programs that hold and move value by themselves."),
  crypto("SOL", "Solana", 8, 6, "https://solana.com", "A network built for many cheap transactions a second."),
  crypto("BNB", "BNB", 8, 6, "https://www.bnbchain.org", "The coin that pays for transactions on BNB Chain."),
  crypto("XRP", "XRP", 6, 4, "https://xrpl.org", "The coin of the XRP Ledger, made for payments."),
  crypto("ADA", "Cardano", 6, 4, "https://cardano.org", "A proof-of-stake network developed from published research."),
  crypto("DOGE", "Dogecoin", 6, 4, "https://dogecoin.com", "Began as a joke and became one of the best-known coins."),
  crypto("AVAX", "Avalanche", 8, 6, "https://www.avax.network", "A network of networks with final transactions in about a second."),
  crypto("LINK", "Chainlink", 8, 6, "https://chain.link", "Pays for bringing data from outside into on-chain programs."),
  crypto("DOT", "Polkadot", 8, 6, "https://polkadot.com", "Connects specialised networks under shared security."),
  crypto("LTC", "Litecoin", 8, 6, "https://litecoin.org", "An early relative of Bitcoin with quicker blocks."),
  crypto("UNI", "Uniswap", 8, 6, "https://uniswap.org", "Governs the Uniswap protocol for on-chain exchange."),
  crypto("ATOM", "Cosmos", 8, 6, "https://cosmos.network", "Secures the Cosmos Hub and its connections between networks."),
  crypto("XLM", "Stellar", 6, 4, "https://stellar.org", "A network for moving money between currencies."),
];

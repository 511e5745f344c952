/**
 * The coins of the default catalogue. The scale limits how much one account can own: 2^53 units.
 */
import type { CoinDefinition } from "#engine/commands.ts";

/** The coin that balances, fees and volumes are valued in. */
export const SETTLEMENT_COIN = "USD";

/** Columns: symbol, name, scale, displayed decimals, website, description. */
const CRYPTO_ASSETS = `
BTC  | Bitcoin   | 8 | 8 | https://bitcoin.org      | The first decentralised digital money, secured by proof of work.
ETH  | Ethereum  | 8 | 8 | https://ethereum.org     | A network for programs that hold and move value by themselves.
SOL  | Solana    | 8 | 6 | https://solana.com       | A network built for many cheap transactions a second.
BNB  | BNB       | 8 | 6 | https://www.bnbchain.org | The coin that pays for transactions on BNB Chain.
XRP  | XRP       | 6 | 4 | https://xrpl.org         | The coin of the XRP Ledger, made for payments.
ADA  | Cardano   | 6 | 4 | https://cardano.org      | A proof-of-stake network developed from published research.
DOGE | Dogecoin  | 6 | 4 | https://dogecoin.com     | Began as a joke and became one of the best-known coins.
AVAX | Avalanche | 8 | 6 | https://www.avax.network | A network of networks with final transactions in about a second.
LINK | Chainlink | 8 | 6 | https://chain.link       | Pays for bringing data from outside into on-chain programs.
DOT  | Polkadot  | 8 | 6 | https://polkadot.com     | Connects specialised networks under shared security.
LTC  | Litecoin  | 8 | 6 | https://litecoin.org     | An early relative of Bitcoin with quicker blocks.
UNI  | Uniswap   | 8 | 6 | https://uniswap.org      | Governs the Uniswap protocol for on-chain exchange.
ATOM | Cosmos    | 8 | 6 | https://cosmos.network   | Secures the Cosmos Hub and its connections between networks.
XLM  | Stellar   | 6 | 4 | https://stellar.org      | A network for moving money between currencies.
`;

const CRYPTO_COINS = CRYPTO_ASSETS.trim()
  .split("\n")
  .map((row): CoinDefinition => {
    const [symbol, name, scale, displayDecimals, website, description] = row.split(/ +\| +/);
    return {
      symbol,
      name,
      kind: "crypto",
      status: "listed",
      scale: Number(scale),
      displayDecimals: Number(displayDecimals),
      description,
      website,
      riskNote: "Prices of crypto assets can fall to zero.",
    };
  });

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
  ...CRYPTO_COINS,
];

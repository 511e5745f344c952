import { firstTrade } from "./first-trade.js";

const { lines, stateHash } = firstTrade();
console.log([...lines, `state hash ${stateHash}`].join("\n"));

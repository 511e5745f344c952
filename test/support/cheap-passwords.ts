/**
 * Loaded into test processes with `node --import`: makes password hashing almost free. It gives
 * another hash for the same password, so processes that share a database all load this or none. The
 * tests of passwords themselves switch it off by REAL_PASSWORDS before the first one is hashed.
 */
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

const COST = 16;

const { scryptSync } = crypto;
crypto.scryptSync = (password, salt, length, options) =>
  scryptSync(
    password,
    salt,
    length,
    process.env.REAL_PASSWORDS === "1" ? options : { ...options, N: COST },
  );
syncBuiltinESMExports();

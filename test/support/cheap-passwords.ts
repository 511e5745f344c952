/**
 * Loaded into test processes with `node --import`: makes password hashing almost free. Hashes differ
 * from real ones, so processes that share a database must all load this or none. Tests of password
 * hashing itself disable it with REAL_PASSWORDS before the first password is hashed.
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

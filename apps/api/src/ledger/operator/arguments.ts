import { parseArgs, type ParseArgsConfig } from 'node:util';
import type pg from 'pg';
import type { Config } from '../../platform/config.js';

/** What a command works with. `pool` may read every table. */
export type Surroundings = { pool: pg.Pool; config: Config };

/** A command was called wrongly; the message says how. */
export class Misuse extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>;

/** The options and words of a command line. Throws Misuse for whatever is not known. */
export function read<const O extends Options>(args: string[], options: O) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new Misuse(error instanceof Error ? error.message : String(error));
  }
}

import { parseArgs, type ParseArgsConfig } from 'node:util';
import type pg from 'pg';
import type { Config } from '../../platform/config.js';
import { type Language, Misuse } from '../../platform/speech.js';

/** What a command works with. `pool` may read every table; `language` is the terminal's. */
export type Surroundings = { pool: pg.Pool; config: Config; language: Language };

type Options = NonNullable<ParseArgsConfig['options']>;

/** The options and words of a command line. Throws Misuse for whatever is not known. */
export function read<const O extends Options>(args: string[], options: O) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Misuse({ zh: `参数不正确：${message}`, en: message });
  }
}

import { parseArgs, type ParseArgsConfig } from 'node:util';
import type pg from 'pg';
import type { Config } from '../../platform/config.js';
import type { ColdStorage } from '../archive/cold-files.js';
import { type Language, UsageError } from '../../platform/cli-messages.js';

/** `pool` may read every table; `language` is the terminal's. */
export type CommandContext = {
  pool: pg.Pool;
  config: Config;
  language: Language;
  /** Throws CommandError where none is configured. */
  coldStorage: () => Promise<ColdStorage>;
  /** Throws CommandError while a process of the service runs; `pid` is the backend of the command itself. */
  requireStopped: (pid: number) => Promise<void>;
};

type Options = NonNullable<ParseArgsConfig['options']>;

/** Parses options and positionals. Throws UsageError for anything unknown. */
export function parseCommandLine<const O extends Options>(args: string[], options: O) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError({ zh: `参数不正确：${message}`, en: message });
  }
}

export const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Ctrl-C; the command has already printed how to continue. */
export class Interrupted extends Error {}

/** Runs `work` with a signal that Ctrl-C aborts; a second Ctrl-C ends the process at once. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(new Interrupted());
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    return await work(controller.signal);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

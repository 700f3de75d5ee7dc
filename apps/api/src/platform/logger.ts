import type { LoggerService } from '@nestjs/common';
import pino, { type Logger } from 'pino';
import type { Config } from './config.js';

/** Fields that carry a session, a password or a code are redacted (decisions §2). */
const SECRETS = [
  'token',
  'signature',
  'authorization',
  'auth-token',
  'password',
  'oldPassword',
  'userPassword',
  'vcode',
  'sk',
].flatMap((name) => [name, `*.${name}`, `req.headers["${name}"]`, `headers["${name}"]`]);

/**
 * Serialises an error for the log. Messages of PostgreSQL quote values (`Failing row contains …`, the statement itself), so only the code and
 * the frames of its errors are kept; other messages are ours or a library's.
 */
export const serializeError = (error: unknown): object => {
  if (!(error instanceof Error)) return { name: typeof error };
  const code = 'code' in error ? String(error.code) : undefined;
  const fromDatabase = code !== undefined && /^[0-9A-Z]{5}$/.test(code);
  const frames = error.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 20);
  return { name: error.name, code, message: fromDatabase ? undefined : error.message, frames };
};

const WINDOW_MS = 1_000;

/** Writes one line per kind and second; `more` counts those left out since the line before. An outage would write thousands a second. */
export class ThrottledLines {
  readonly #left = new Map<string, number>();

  constructor(private readonly write: (line: object) => void) {}

  /** `line` is called only for a line that is written. */
  add(kind: string, line: () => object): void {
    const left = this.#left.get(kind);
    if (left !== undefined) this.#left.set(kind, left + 1);
    else {
      this.write({ kind, ...line() });
      this.#open(kind);
    }
  }

  #open(kind: string): void {
    this.#left.set(kind, 0);
    setTimeout(() => {
      const more = this.#left.get(kind) ?? 0;
      if (more === 0) return void this.#left.delete(kind);
      this.write({ kind, more });
      this.#open(kind);
    }, WINDOW_MS).unref();
  }
}

/** Lines are written in batches: a write per line would cost more than formatting it. */
const BUFFERING = { minLength: 4_096, periodicFlush: 100 };

/** JSON lines on standard output, at most a tenth of a second late. `process.exit` flushes the rest; a signal does not. */
export const createLogger = (config: Config, name: string): Logger =>
  pino(
    { name, level: config.env.LOG_LEVEL, redact: { paths: SECRETS, censor: '[redacted]' }, base: { name } },
    pino.destination({ dest: 1, sync: false, ...BUFFERING }),
  );

/** Nest's own logging through the same logger. */
export class NestLogger implements LoggerService {
  constructor(private readonly lines: Logger) {}

  error(message: unknown, ...rest: unknown[]): void {
    this.lines.error(lineOf(message, rest));
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.lines.warn(lineOf(message, rest));
  }
  // Nest's start-up messages are of no use to an operator.
  log(message: unknown, ...rest: unknown[]): void {
    this.lines.debug(lineOf(message, rest));
  }
  debug(message: unknown, ...rest: unknown[]): void {
    this.lines.debug(lineOf(message, rest));
  }
  verbose(message: unknown, ...rest: unknown[]): void {
    this.lines.trace(lineOf(message, rest));
  }
}

/** Nest passes the context last, and before it a stack when there is one. */
const lineOf = (message: unknown, rest: unknown[]): object => {
  const context = rest.at(-1);
  const base = typeof message === 'object' && message !== null ? message : { msg: String(message) };
  const stack = rest.length > 1 ? { stack: rest[0] } : {};
  return { ...base, ...stack, context };
};

import type { LoggerService } from '@nestjs/common';
import pino, { type Logger } from 'pino';
import type { Config } from './config.js';

/** Whatever carries a session, a password or a code is cut out before a line is written (decisions §2). */
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

/** JSON lines on standard output. */
export const openLog = (config: Config, name: string): Logger =>
  pino({ name, level: config.env.LOG_LEVEL, redact: { paths: SECRETS, censor: '[redacted]' }, base: { name } });

/** Nest's own logging through the same lines. */
export class NestLog implements LoggerService {
  constructor(private readonly lines: Logger) {}

  error(message: unknown, ...rest: unknown[]): void {
    this.lines.error(lineOf(message, rest));
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.lines.warn(lineOf(message, rest));
  }
  // Nest's start-up report is of no use to an operator.
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

/** Nest hands the context last, and a stack before it when there is one. */
const lineOf = (message: unknown, rest: unknown[]): object => {
  const context = rest.at(-1);
  const base = typeof message === 'object' && message !== null ? message : { msg: String(message) };
  const stack = rest.length > 1 ? { stack: rest[0] } : {};
  return { ...base, ...stack, context };
};

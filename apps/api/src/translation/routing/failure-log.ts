import { Logger } from '@nestjs/common';
import type { VendorFailure, VendorFailureKind } from '../channels/vendor.js';
import type { Time } from './time.js';

const QUIET_MS = 60_000;

/**
 * What an operator must know to mend an upstream: how it fails, in its vendor's words (status and code, never a text, never a key). Once a
 * minute for each kind, with how often it was left unsaid since: an outage is one line, not thousands.
 */
export class FailureLog {
  readonly #said = new Map<VendorFailureKind, { readonly at: number; unsaid: number }>();
  readonly #log = new Logger('Upstream');

  constructor(
    private readonly upstream: string,
    private readonly time: Time,
  ) {}

  note({ kind, message, cause }: VendorFailure): void {
    const at = this.time.now();
    const last = this.#said.get(kind);
    if (last && at < last.at + QUIET_MS) {
      last.unsaid++;
      return;
    }
    this.#said.set(kind, { at, unsaid: 0 });
    const unsaid = last?.unsaid ?? 0;
    this.#log.warn({
      msg: 'an upstream failed',
      upstream: this.upstream,
      kind,
      said: message,
      unsaid,
      ...where(cause),
    });
  }
}

/** Where a bug of ours broke out: its place, without its words, which could be a member's. */
const where = (cause: unknown): { frames?: readonly string[] } => {
  if (!(cause instanceof TypeError || cause instanceof RangeError || cause instanceof ReferenceError)) return {};
  const frames = cause.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return frames ? { frames: frames.slice(0, 8) } : {};
};

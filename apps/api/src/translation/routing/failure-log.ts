import { Logger } from '@nestjs/common';
import type { VendorFailure, VendorFailureKind } from '../channels/vendor-failure.js';
import type { Time } from './time.js';

const QUIET_MS = 60_000;

/**
 * Logs how an upstream fails, with the vendor's status and code, never with a text or a key. Once a minute for each kind, with the number of
 * failures left out since: an outage is one line, not thousands.
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

/** The stack of one of our bugs without its message, which could quote a member's text. */
const where = (cause: unknown): { frames?: readonly string[] } => {
  if (!(cause instanceof TypeError || cause instanceof RangeError || cause instanceof ReferenceError)) return {};
  const frames = cause.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return frames ? { frames: frames.slice(0, 8) } : {};
};

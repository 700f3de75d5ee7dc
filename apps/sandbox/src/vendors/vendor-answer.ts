import type { Account, VendorName } from './account.js';
import type { CallAsked } from './vendor-calls.js';
import type { Ending, Fault, Corruption } from './vendor-faults.js';

/** What goes back to the caller. `body` is sent as JSON, unless it is a text or bytes: then as it is, with a Content-Type among the headers. */
export interface VendorAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The vendor's own code or word of its refusal; null for what was asked for. */
  readonly error: string | null;
}

/** A call that is refused. */
export class VendorRefusal extends Error {
  constructor(readonly answer: VendorAnswer) {
    super(answer.error ?? 'refused');
  }
}

/** A call that was understood and is allowed. `answer` makes what goes back; only translations have anything to spoil. */
export interface AcceptedCall {
  readonly account: Account | null;
  readonly asked: CallAsked;
  readonly answer: (corruptions: readonly Corruption[]) => VendorAnswer;
}

/** The endings that are answers: a vendor has its own way of each. */
export type RefusalKind = Exclude<Ending, 'hang' | 'drop'>;

/** What the shared part has to know of a vendor. */
export interface VendorWire {
  readonly vendor: VendorName;
  /** How this vendor says it when a switch wants it. */
  readonly refusals: Readonly<Record<RefusalKind, (fault: Pick<Fault, 'ms' | 'status'>) => VendorAnswer>>;
}

/** A good answer. */
export const answered = (body: unknown, headers: Readonly<Record<string, string>> = {}): VendorAnswer => ({
  status: 200,
  headers,
  body,
  error: null,
});

/** Retry-After in whole seconds, when the switch says how long. */
export const retryAfter = (ms: number | undefined): Readonly<Record<string, string>> =>
  ms === undefined ? {} : { 'retry-after': String(Math.ceil(ms / 1000)) };

/** What stands before the vendor's servers says when they are gone. */
export const badGateway = (status: number): VendorAnswer => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<html><body><h1>Bad Gateway</h1></body></html>',
  error: String(status),
});

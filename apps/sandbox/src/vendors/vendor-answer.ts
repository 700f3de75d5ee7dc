import type { Account, VendorName } from './account.js';
import type { CallDetails } from './vendor-calls.js';
import type { Ending, Fault, Corruption } from './vendor-faults.js';

/** A vendor's response. `body` is sent as JSON unless it is a string or bytes; those need a Content-Type header. */
export interface VendorReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The vendor's error code; null for success. */
  readonly error: string | null;
}

/** A rejected call with its error response. */
export class VendorRefusal extends Error {
  constructor(readonly answer: VendorReply) {
    super(answer.error ?? 'refused');
  }
}

/** A verified and parsed call. `respond` builds the response; corruptions apply to translations only. */
export interface AcceptedCall {
  readonly account: Account | null;
  readonly details: CallDetails;
  readonly respond: (corruptions: readonly Corruption[]) => VendorReply;
}

/** The faults that are error responses; each vendor has its own. */
export type RefusalKind = Exclude<Ending, 'hang' | 'drop'>;

/** The vendor-specific parts of serving a call. */
export interface VendorProtocol {
  readonly vendor: VendorName;
  /** The error response of each injected fault. */
  readonly refusals: Readonly<Record<RefusalKind, (fault: Pick<Fault, 'ms' | 'status'>) => VendorReply>>;
}

/** A success response. */
export const ok = (body: unknown, headers: Readonly<Record<string, string>> = {}): VendorReply => ({
  status: 200,
  headers,
  body,
  error: null,
});

/** Retry-After in whole seconds, when the switch sets a delay. */
export const retryAfter = (ms: number | undefined): Readonly<Record<string, string>> =>
  ms === undefined ? {} : { 'retry-after': String(Math.ceil(ms / 1000)) };

/** The response of a vendor's load balancer when its servers are down. */
export const badGateway = (status: number): VendorReply => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<html><body><h1>Bad Gateway</h1></body></html>',
  error: String(status),
});

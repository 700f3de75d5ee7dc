import type { VendorFailure, VendorFailureKind } from '../channels/vendor-failure.js';

type Rule = {
  /** Transient: the same upstream may be retried. */
  readonly passes: boolean;
  /** Caused by the account, not by the text: all parts of the request would fail. */
  readonly account: boolean;
  /** One text may have caused the failure of the whole request. */
  readonly byOneText: boolean;
  /** The vendor refused the text: its other accounts would, too. */
  readonly final: boolean;
};

const rule = (row: Partial<Rule>): Rule => ({ passes: false, account: false, byOneText: false, final: false, ...row });

/** The consequences of a failure for its request; those for the upstream are in breaker.ts. */
export const FAILURE_RULES: Readonly<Record<VendorFailureKind, Rule>> = {
  auth: rule({ account: true }),
  quota: rule({ account: true }),
  // The request queues again (failover-request.ts).
  rate: rule({}),
  transient: rule({ account: true, passes: true }),
  timeout: rule({ account: true, passes: true }),
  unsupported: rule({}),
  'too-long': rule({ byOneText: true, final: true }),
  blocked: rule({ byOneText: true, final: true }),
  'bad-request': rule({}),
  'bad-answer': rule({ byOneText: true }),
};

/** Retries of one vendor request over all upstreams. Each costs us the vendor's price again, and the member nothing. */
export const RETRIES = 2;
/** How long a request waits for an upstream whose breaker is open. The first cool-down is five seconds. */
export const RECOVERY_MS = 6_000;
const BACKOFF_MS = 500;
const JITTER = 0.25;

/** The backoff before retry number `retry`, counted from 0; at least the vendor's Retry-After. */
export const backoffMs = (retry: number, { retryAfterMs }: VendorFailure): number =>
  Math.max(BACKOFF_MS * 2 ** retry * (1 - JITTER + 2 * JITTER * Math.random()), retryAfterMs ?? 0);

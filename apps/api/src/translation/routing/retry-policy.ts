import type { VendorFailure, VendorFailureKind } from '../channels/vendor-failure.js';

type Rule = {
  /** It may be gone the next time: the same upstream may be asked again. */
  readonly passes: boolean;
  /** The account is to blame, not the text: what failed for one part of a request would fail for the others. */
  readonly account: boolean;
  /** One text may have brought it upon all that travelled with it. */
  readonly byOneText: boolean;
  /** The vendor's verdict on the text: its other accounts would say the same. */
  readonly final: boolean;
};

const rule = (row: Partial<Rule>): Rule => ({ passes: false, account: false, byOneText: false, final: false, ...row });

/** What a failure means for its request. What it means for the upstream: breaker.ts. */
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

/** Of one vendor request, whichever upstream is asked again. They cost us the vendor's price again, the member nothing. */
export const RETRIES = 2;
/** So long a request waits for an upstream that is given up just now. The first time it is given up for five seconds. */
export const RECOVERY_MS = 6_000;
const BACKOFF_MS = 500;
const JITTER = 0.25;

/** How long to leave an upstream alone before its retry number `retry`, the first being 0; what the vendor asks for is honoured. */
export const backoffMs = (retry: number, { retryAfterMs }: VendorFailure): number =>
  Math.max(BACKOFF_MS * 2 ** retry * (1 - JITTER + 2 * JITTER * Math.random()), retryAfterMs ?? 0);

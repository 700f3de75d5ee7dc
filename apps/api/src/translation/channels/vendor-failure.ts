/**
 * The kinds of failures, the same for all vendors:
 * - `auth`: key, signature or permission; `quota`: the account is used up or in arrears. Both are lasting: a long cool-down;
 * - `rate`: rate limit; `transient`: its server or the network; `timeout`: no answer in time. All three are transient;
 * - `unsupported`: the pair; `too-long`: over its limit; `blocked`: its content policy; `bad-request`: a bug in our request;
 * - `bad-answer`: not a translation: malformed, truncated, blank, a wrong number of texts, the source itself, another script.
 */
export type VendorFailureKind =
  | 'auth'
  | 'quota'
  | 'rate'
  | 'transient'
  | 'timeout'
  | 'unsupported'
  | 'too-long'
  | 'blocked'
  | 'bad-request'
  | 'bad-answer';

/** The only error of a vendor's client. Its message is for operators: the vendor's status and code, never a text or a key. */
export class VendorFailure extends Error {
  override readonly name = 'VendorFailure';

  constructor(
    readonly kind: VendorFailureKind,
    message: string,
    /** The vendor's Retry-After. */
    readonly retryAfterMs: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * An answer without a translation: blank, or with a wrong number of texts. The text may be the reason, so the upstream is blamed only when
 * another one succeeds.
 */
export class NoAnswer extends VendorFailure {
  constructor(message: string) {
    super('bad-answer', message);
  }
}

/**
 * Why a vendor did not deliver, the same words for all:
 * - `auth`: key, signature or permission; `quota`: the account is used up or in arrears. Both last: the upstream is left alone for long;
 * - `rate`: too fast; `transient`: its server or the network; `timeout`: no answer in time. All three pass;
 * - `unsupported`: not this pair; `too-long`: over its limit after all; `blocked`: its content policy; `bad-request`: we asked wrongly;
 * - `bad-answer`: something that is no translation: malformed, cut off, blank, of another count, the source itself, another script.
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

/** The one error of a vendor's client. Its message is for operators: status and code of the vendor, never a text, never a key. */
export class VendorFailure extends Error {
  override readonly name = 'VendorFailure';

  constructor(
    readonly kind: VendorFailureKind,
    message: string,
    /** How long the vendor asks us to wait, when it says so. */
    readonly retryAfterMs: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * An answer that holds no translation of what was asked: blank, or of another count. The text may be the reason, so the upstream is blamed
 * only when another one does better.
 */
export class NoAnswer extends VendorFailure {
  constructor(message: string) {
    super('bad-answer', message);
  }
}

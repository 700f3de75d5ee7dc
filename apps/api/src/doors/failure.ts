import { errorMessage, errors, Refusal, type ErrorCode } from '@yiqiao/domain/errors';

/**
 * What went wrong, as far as the dialects differ about it. `unsaid`: no key was sent · `key`: it is not valid · `forbidden`: it may not do this ·
 * `quota`: nothing is left, or a cap is reached · `tooLong`: a text · `tooLarge`: the body · `language`: the pair is not translated ·
 * `busy`: later it works · `ours`: a bug.
 */
export type FailureKind =
  | 'unsaid'
  | 'key'
  | 'forbidden'
  | 'quota'
  | 'rate'
  | 'tooLong'
  | 'tooLarge'
  | 'language'
  | 'input'
  | 'missing'
  | 'method'
  | 'mediaType'
  | 'busy'
  | 'ours';

type Details = {
  /** In the words of the dialect; without them the dialect has a sentence for each kind. */
  readonly message?: string;
  /** One more sentence, in English, for dialects with room for one. */
  readonly detail?: string;
  readonly retryAfterSeconds?: number | undefined;
};

/** A request that is not answered: its dialect says so in its own way. */
export class Failure extends Error {
  constructor(
    readonly kind: FailureKind,
    readonly details: Details = {},
  ) {
    super(kind);
    this.name = 'Failure';
  }
}

/** The failure that a refusal of the product means to clients of other products. */
export function failureOf({ code, details: { data, retryAfterSeconds } }: Refusal): Failure {
  return new Failure(kindOf(code), { detail: errorMessage(code, 'en', data), retryAfterSeconds });
}

const KINDS: Partial<Record<ErrorCode, FailureKind>> = {
  API_KEY_REQUIRED: 'unsaid',
  QUOTA_NOT_ENOUGH: 'quota',
  CAP_REACHED: 'quota',
  API_KEY_CAP_REACHED: 'quota',
  PACKAGE_EXPIRED: 'quota',
  GLOSSARY_FULL: 'quota',
  PAIR_NOT_SUPPORTED: 'language',
  CHANNEL_NOT_INCLUDED: 'forbidden',
  CHANNEL_UNAVAILABLE: 'busy',
  CHANNEL_CHANGED: 'busy',
  LEDGER_READ_ONLY: 'busy',
};

function kindOf(code: ErrorCode): FailureKind {
  const known = KINDS[code];
  if (known) return known;
  const { kind } = errors[code];
  switch (kind) {
    case 'signedOut':
      return 'key';
    case 'forbidden':
      return 'forbidden';
    case 'missing':
      return 'missing';
    case 'method':
      return 'method';
    case 'tooLarge':
      return 'tooLarge';
    case 'mediaType':
      return 'mediaType';
    case 'tooMany':
      return 'rate';
    case 'upstream':
    case 'unavailable':
    case 'timeout':
      return 'busy';
    case 'ours':
      return 'ours';
    default:
      return 'input';
  }
}

import type { VendorFailureKind } from '../../src/translation/channels/vendor-failure.js';
import type { VendorCode } from '../../src/translation/channels/vendor-settings.js';

/** The differences between vendors. */
export type VendorDialect = {
  /** An unsupported pair, langCodes. */
  stranger: [string, string] | null;
  /** It detects the source. */
  auto: boolean;
  /** Quota exhausted: not for vendors without a plan. */
  quota: VendorFailureKind;
  /** Its content policy, or its equivalent. */
  block: VendorFailureKind;
  /** It returns how long to pause. */
  retryAfter: boolean;
  /** More than it accepts, bypassing our own limits. */
  tooMuch: string[] | null;
};

/** By vendor. */
export const DIALECTS: Record<VendorCode, VendorDialect> = {
  google: {
    stranger: ['en', 'sr-Latn'],
    auto: true,
    quota: 'quota',
    // It reports an invalid value, mostly a language, only as invalid.
    block: 'unsupported',
    retryAfter: true,
    tooMuch: Array.from({ length: 129 }, () => 'hello'),
  },
  microsoft: {
    stranger: ['en', 'jv'],
    auto: true,
    quota: 'quota',
    block: 'bad-request',
    retryAfter: true,
    tooMuch: Array.from({ length: 1001 }, () => 'hello'),
  },
  tencent: {
    stranger: ['ja', 'fr'],
    auto: false,
    quota: 'quota',
    block: 'bad-request',
    retryAfter: false,
    tooMuch: ['a'.repeat(2_001)],
  },
  youdao: {
    stranger: ['en', 'ckb'],
    auto: true,
    quota: 'quota',
    block: 'bad-request',
    retryAfter: false,
    tooMuch: ['a'.repeat(5_001)],
  },
  deepl: {
    stranger: ['en', 'mww'],
    auto: true,
    quota: 'quota',
    block: 'bad-request',
    retryAfter: true,
    tooMuch: ['a'.repeat(140_000)],
  },
  chatgpt: { stranger: null, auto: true, quota: 'quota', block: 'blocked', retryAfter: true, tooMuch: null },
  libretranslate: {
    stranger: ['en', 'lzh'],
    auto: true,
    // A client over the limit is banned.
    quota: 'auth',
    block: 'bad-request',
    retryAfter: true,
    tooMuch: ['a'.repeat(5_001)],
  },
};

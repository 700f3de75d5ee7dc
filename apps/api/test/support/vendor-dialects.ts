import type { VendorFailureKind } from '../../src/translation/channels/vendor-failure.js';
import type { VendorCode } from '../../src/translation/channels/vendor-settings.js';

/** What is not the same for all of them. */
export type VendorDialect = {
  /** A pair that the vendor does not do, langCodes. */
  stranger: [string, string] | null;
  /** It finds out a source by itself. */
  auto: boolean;
  /** Used up: no such thing without a plan. */
  quota: VendorFailureKind;
  /** Its content policy, or what it says in place of one. */
  block: VendorFailureKind;
  /** It says how long it wants to be left alone. */
  retryAfter: boolean;
  /** More than it takes, past what our limits let through. */
  tooMuch: string[] | null;
};

/** By vendor. */
export const DIALECTS: Record<VendorCode, VendorDialect> = {
  google: {
    stranger: ['en', 'sr-Latn'],
    auto: true,
    quota: 'quota',
    // Of a value that it does not take, a language most of the time, it only says that it is invalid.
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
    // Whoever asks too much is banned.
    quota: 'auth',
    block: 'bad-request',
    retryAfter: true,
    tooMuch: ['a'.repeat(5_001)],
  },
};

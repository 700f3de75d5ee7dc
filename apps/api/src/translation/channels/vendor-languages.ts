import type { ChannelLanguages } from './channel.js';
import { BASE_OF, canonicalLanguage } from './language-codes.js';
import { languages } from './languages.js';
import { VendorFailure } from './vendor-failure.js';

type Side = 'source' | 'target';

/** The vendor's codes of a pair; source null: the vendor detects it. */
type VendorPair = { readonly source: string | null; readonly target: string };

type Options = {
  /**
   * The langCodes that the vendor translates, separated by white space, each with the vendor's own code where that is another:
   * `en zh-Hans=zh-CN`. `'any'`: every language of the product by its langCode. `'unknown'`: the server lists them.
   */
  readonly codes: string;
  /** Codes that only this vendor uses in answers, in lower case, and the langCodes that they mean. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Whether the vendor detects the source language; it does by default. */
  readonly detectsSource?: boolean;
  /** How a code is written in a request, where the two sides of a pair differ. */
  readonly format?: (code: string, side: Side) => string;
};

/**
 * The languages of one vendor, by its own codes. Comparing codes as strings is wrong on every side of the wire: this and
 * `language-codes.ts` are the only way from one set of codes to another.
 */
export class VendorLanguages {
  readonly #codes: ReadonlyMap<string, string>;
  readonly #langCodes: ReadonlyMap<string, string>;
  readonly #aliases: ReadonlyMap<string, string>;
  readonly #format: (code: string, side: Side) => string;
  readonly #detectsSource: boolean;
  #published: ChannelLanguages | undefined;

  constructor({ codes, aliases = {}, detectsSource = true, format = (code) => code }: Options) {
    this.#codes = codesIn(codes);
    this.#langCodes = new Map(
      codes === 'any' ? [] : [...this.#codes].map(([langCode, code]) => [code.toLowerCase(), langCode]),
    );
    this.#aliases = new Map(Object.entries(aliases));
    this.#format = format;
    this.#detectsSource = detectsSource && codes !== 'unknown';
  }

  /** The vendor's own code of a langCode as documented; null without one. */
  own(langCode: string): string | null {
    return this.#codes.get(langCode) ?? null;
  }

  /**
   * The code that is sent for a langCode; null when the vendor does not know it. A variant without a code of its own is translated as
   * its base language.
   */
  code(langCode: string, side: Side): string | null {
    const code = this.own(langCode) ?? this.own(BASE_OF.get(langCode) ?? '');
    return code === null ? null : this.#format(code, side);
  }

  /**
   * Both codes of a pair of langCodes; source null: the vendor detects it. Null when the vendor does not know one of them, or would
   * translate a language into itself: two variants that it knows by one code (`en` → `en-GB` at Google), or DeepL's `ZH` → `ZH-HANT`.
   */
  pair(source: string, target: string): { source: string; target: string } | null;
  pair(source: string | null, target: string): VendorPair | null;
  pair(source: string | null, target: string): VendorPair | null {
    const to = this.code(target, 'target');
    if (source === null) return to === null ? null : { source: null, target: to };
    const from = this.code(source, 'source');
    if (from === null || to === null || this.code(target, 'source') === from) return null;
    return { source: from, target: to };
  }

  /** Like {@link pair}, but throws a VendorFailure of kind `unsupported` instead of returning null. */
  requiredPair({ source, target }: VendorPair): VendorPair {
    const pair = this.pair(source, target);
    if (!pair) throw new VendorFailure('unsupported', `${source ?? 'auto'} to ${target}`);
    return pair;
  }

  /** The langCode that the vendor means by a code in its answer; null for one that the product does not know. */
  langCodeOf(code: string): string | null {
    const tag = code.replaceAll('_', '-').toLowerCase();
    return this.#langCodes.get(tag) ?? this.#aliases.get(tag) ?? canonicalLanguage(code);
  }

  /** What the vendor documents that it translates. Made once. */
  published(): ChannelLanguages {
    const side = (which: Side): ReadonlySet<string> =>
      new Set(languages().flatMap(({ langCode }) => (this.code(langCode, which) === null ? [] : [langCode])));
    this.#published ??= { sources: side('source'), targets: side('target'), auto: this.#detectsSource };
    return this.#published;
  }
}

function codesIn(codes: string): ReadonlyMap<string, string> {
  if (codes === 'unknown') return new Map();
  if (codes === 'any') return new Map(languages().map(({ langCode }) => [langCode, langCode]));
  return new Map(
    codes
      .trim()
      .split(/\s+/)
      .map((entry) => {
        const [langCode = '', code = langCode] = entry.split('=', 2);
        return [langCode, code];
      }),
  );
}

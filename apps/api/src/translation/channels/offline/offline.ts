import { setImmediate } from 'node:timers/promises';
import type { PairTerms } from '@yiqiao/domain/glossary';
import type {
  Availability,
  ChannelLanguages,
  PairQuality,
  Quality,
  TextAnswer,
  TextChannel,
  TextOutcome,
  TextRequest,
} from '../channel.js';
import { ChannelFailure } from '../channel.js';
import { dataFile } from '../data-file.js';
import { type Direction, type QualityIssue, qualityIssueOf } from '../../text/quality-check.js';
import { hasWords, missingFrom, protect, type Protected, protectOnlyTerms, restore } from '../../text/protect.js';
import { Apertium, type ApertiumOptions } from './apertium.js';
import { LANG_CODES, type Route, routeOf } from './apertium-modes.js';
import { gloss, loadGloss } from './gloss/gloss.js';
import { isChinese, toScript } from './opencc.js';
import { Phrasebook } from './phrasebook/phrasebook.js';
import type { Tongue } from './phrasebook/tokens.js';

const INSTALL =
  'sudo apt-get install -y --no-install-recommends apertium cg3 apertium-eng-spa apertium-es-pt apertium-fr-es apertium-spa-ita apertium-spa-cat apertium-eo-en';

const PARTIAL: Availability = {
  available: true,
  reason: {
    zh: '离线引擎未安装：仅可使用简繁转换，以及中英互译的常用语手册与逐词释义',
    en: 'The offline engine is not installed: only Simplified ↔ Traditional Chinese, and the phrasebook and gloss between Chinese and English work.',
  },
  install: INSTALL,
};

/** How a pair is translated: by converting the script, by the phrasebook or else a word gloss, or with Apertium. */
type Way = { readonly by: 'script' } | { readonly by: 'phrases' } | { readonly by: 'apertium'; readonly route: Route };

type OneText = {
  readonly text: string;
  readonly direction: Direction;
  readonly signal: AbortSignal;
  readonly terms: PairTerms | null;
};

/** `phrasebook`: a folder with sentences of the operator, which come before ours; '' for none. */
export type OfflineOptions = ApertiumOptions & { readonly phrasebook?: string };

/** How many texts are remembered from looking up to translating. */
const RECENT = 200;

/** The channel without keys and network: OpenCC, the phrasebook, the word gloss, and the installed modes of Apertium. */
export class OfflineChannel implements TextChannel {
  private readonly apertium: Apertium;
  readonly #languages = new WeakMap<ReadonlySet<string>, ChannelLanguages>();
  /** A text is looked up before it is held and again when it is translated. */
  readonly #recent = new Map<string, string | null>();

  constructor(private readonly options: OfflineOptions) {
    this.apertium = new Apertium(options);
  }

  /**
   * Reads the phrasebook and the dictionaries (about a second of processor time) before the first text needs them. Throws on a malformed
   * phrasebook of the operator, naming the line.
   */
  async warmUp(): Promise<void> {
    const book = await this.phrases();
    for (const tongue of ['zh', 'en'] as const) book.warmUp(tongue);
    await loadGloss();
  }

  async availability(): Promise<Availability> {
    const installed = await this.apertium.installed();
    return installed.size > 0 ? { available: true, reason: null } : PARTIAL;
  }

  async supports(source: string, target: string): Promise<PairQuality | null>;
  async supports(source: string, target: string, text: string): Promise<Quality | null>;
  async supports(source: string, target: string, text?: string): Promise<PairQuality | null> {
    const way = await this.way(source, target);
    if (way?.by !== 'phrases') return way && 'translation';
    if (text === undefined) return 'varies';
    return (await this.phrase(text, { source, target })) === null ? 'gloss' : 'translation';
  }

  /** Computed once per set of installed modes, because every request reads it. */
  async languages(): Promise<ChannelLanguages> {
    const installed = await this.apertium.installed();
    const known = this.#languages.get(installed) ?? languagesOf(installed);
    this.#languages.set(installed, known);
    return known;
  }

  /** Each text fails separately. */
  async translate({ texts, source, target, signal, terms = null }: TextRequest): Promise<readonly TextOutcome[]> {
    const way = source === null ? null : await this.way(source, target);
    if (way === null) {
      const failure = new ChannelFailure('unsupported', `no offline engine for ${source ?? 'auto'} to ${target}`);
      return texts.map(() => failure);
    }
    return Promise.all(
      texts.map((text) => this.withTerms(way, { text, direction: { source, target }, signal, terms }).catch(asFailure)),
    );
  }

  close(): Promise<void> {
    this.apertium.close();
    return Promise.resolve();
  }

  /** Replaces terms by placeholders, which the engines keep; a text of terms only needs no engine. */
  private async withTerms(way: Way, asked: OneText): Promise<TextAnswer> {
    const { text, terms } = asked;
    if (terms === null || terms.index.find(text).length === 0) return this.one(way, asked);
    const guarded = protectOnlyTerms(text, terms.index);
    if (way.by === 'phrases') return this.phraseWithTerms(asked, guarded);
    const found = hasWords(guarded.masked)
      ? await this.one(way, { ...asked, text: guarded.masked })
      : answer(guarded.masked);
    const { text: translated, lost } = restore(found.translated, guarded);
    const warning =
      lost.length > 0 && found.quality === 'translation' ? { code: 'LOST' as const, lost } : found.warning;
    return { ...found, translated, warning };
  }

  /** The same quality as without terms, because that is what was promised: a sentence of the book keeps the terms where they name things. */
  private async phraseWithTerms({ text, direction }: OneText, guarded: Protected): Promise<TextAnswer> {
    const plain = await this.phrase(text, direction);
    if (plain === null) {
      const glossed = await glossOf(guarded.masked, direction);
      return { ...glossed, translated: restore(glossed.translated, guarded).text };
    }
    const masked = await this.phrase(guarded.masked, direction);
    if (masked !== null) return answer(restore(masked, guarded).text);
    const lost = missingFrom(plain, guarded.pieces);
    return { ...answer(plain), warning: lost.length > 0 ? { code: 'LOST', lost } : null };
  }

  private async one(way: Way, { text, direction, signal }: OneText): Promise<TextAnswer> {
    if (signal.aborted) throw new ChannelFailure('timeout', 'the deadline passed', { cause: signal.reason });
    if (way.by === 'apertium') return translationOf(text, await this.through(way.route, text, signal), direction);
    if (way.by === 'script') return translationOf(text, answer(await convert(direction.target, text)), direction);
    const phrase = await this.phrase(text, direction);
    return phrase === null ? glossOf(text, direction) : answer(phrase);
  }

  private phrases(): Promise<Phrasebook> {
    return phrasebookWith(this.options.phrasebook ?? '');
  }

  /** The phrasebook's translation of a whole text, null when it does not have all of it. */
  private async phrase(text: string, { source, target }: Direction): Promise<string | null> {
    const key = `${source} ${target} ${text}`;
    const known = this.#recent.get(key);
    if (known !== undefined) return known;
    const book = await this.phrases();
    const plain = fromChinese(source) ? await convert('zh-Hans', text) : text;
    // Other requests go on between the texts of a batch.
    await setImmediate();
    const said = book.translate(plain, tongueOf(target));
    const found = said !== null && isChinese(target) ? await convert(target, said) : said;
    this.#recent.set(key, found);
    const [oldest] = this.#recent.keys();
    if (oldest !== undefined && this.#recent.size > RECENT) this.#recent.delete(oldest);
    return found;
  }

  private async through({ modes, via }: Route, text: string, signal: AbortSignal): Promise<TextAnswer> {
    let translated = text;
    for (const mode of modes) translated = await this.apertium.translate(mode, translated, signal);
    return { ...answer(translated), warning: via === null ? null : { code: 'VIA', via } };
  }

  private async way(source: string, target: string): Promise<Way | null> {
    if (source === target) return null;
    if (isChinese(source) && isChinese(target)) return { by: 'script' };
    if ((isChinese(source) && target === 'en') || (source === 'en' && isChinese(target))) return { by: 'phrases' };
    const route = routeOf(await this.apertium.installed(), source, target);
    return route === null ? null : { by: 'apertium', route };
  }
}

const phrasebooks = new Map<string, Promise<Phrasebook>>();

/** Our phrasebook with the operator's in `folder` before it; read once per process. */
const phrasebookWith = (folder: string): Promise<Phrasebook> => {
  const known = phrasebooks.get(folder);
  if (known) return known;
  const book = Phrasebook.load([dataFile('phrasebook'), ...(folder === '' ? [] : [folder])]);
  phrasebooks.set(folder, book);
  return book;
};

const fromChinese = (source: string | null): boolean => source !== null && isChinese(source);

const tongueOf = (language: string): Tongue => (isChinese(language) ? 'zh' : 'en');

const glossOf = async (text: string, { source, target }: Direction): Promise<TextAnswer> => {
  const said = await gloss(fromChinese(source) ? await convert('zh-Hans', text) : text, tongueOf(target));
  const translated = isChinese(target) ? await convert(target, said) : said;
  return { ...answer(translated), quality: 'gloss', warning: { code: 'GLOSS' } };
};

const convert = (script: string, text: string): Promise<string> =>
  toScript(script === 'zh-Hant' ? 'zh-Hant' : 'zh-Hans', text);

const answer = (translated: string): TextAnswer => ({
  translated,
  quality: 'translation',
  warning: null,
  detected: null,
});

/** The engines keep unknown words: a member who names the wrong source language must not pay for an unchanged text. */
const translationOf = (text: string, given: TextAnswer, direction: Direction): TextAnswer => {
  if (!hasWords(text)) return given;
  const flaw = isChinese(direction.target)
    ? flawOfScript(text, direction)
    : qualityIssueOf(text, given.translated, direction);
  if (flaw !== null) throw new ChannelFailure('bad-answer', `no translation: ${flaw}`);
  return given;
};

/** Chinese may be the same in both scripts and contain foreign words; but a text without Chinese is not translated by a conversion. */
const flawOfScript = (text: string, direction: Direction): QualityIssue | null => {
  const { masked } = protect(text);
  const han = count(masked, /\p{Script=Hani}/gu);
  if (han === 0) return qualityIssueOf(text, text, direction);
  return count(masked, /[\p{Script=Hira}\p{Script=Kana}]/gu) > han ? 'script' : null;
};

const count = (text: string, letters: RegExp): number => text.match(letters)?.length ?? 0;

// Any other error of an engine is our bug and is rethrown.
const asFailure = (error: unknown): ChannelFailure => {
  if (error instanceof ChannelFailure) return error;
  throw error;
};

function languagesOf(installed: ReadonlySet<string>): ChannelLanguages {
  const sources = new Set(['zh-Hans', 'zh-Hant', 'en']);
  const targets = new Set(['zh-Hans', 'zh-Hant', 'en']);
  for (const source of LANG_CODES)
    for (const target of LANG_CODES)
      if (routeOf(installed, source, target) !== null) {
        sources.add(source);
        targets.add(target);
      }
  return { sources, targets, auto: false };
}

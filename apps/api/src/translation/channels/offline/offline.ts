import type { PairTerms } from '@yiqiao/domain/glossary';
import type {
  Availability,
  ChannelLanguages,
  Quality,
  TextAnswer,
  TextChannel,
  TextOutcome,
  TextRequest,
} from '../channel.js';
import { ChannelFailure } from '../channel.js';
import { type Direction, type QualityIssue, qualityIssueOf } from '../../text/quality-check.js';
import { hasWords, protect, protectOnlyTerms, restore } from '../../text/protect.js';
import { Apertium, type ApertiumOptions } from './apertium.js';
import { LANG_CODES, type Route, routeOf } from './apertium-modes.js';
import { gloss } from './gloss.js';
import { isChinese, toScript } from './opencc.js';

const INSTALL =
  'sudo apt-get install -y --no-install-recommends apertium cg3 apertium-eng-spa apertium-es-pt apertium-fr-es apertium-spa-ita apertium-spa-cat apertium-eo-en';

const PARTIAL: Availability = {
  available: true,
  reason: {
    zh: '离线引擎未安装：仅可使用简繁转换与中译英逐词释义',
    en: 'The offline engine is not installed: only Simplified ↔ Traditional Chinese and a Chinese → English gloss work.',
  },
  install: INSTALL,
};

/** How a pair is translated: by converting the script, by a word gloss, or with Apertium. */
type Way = { readonly by: 'script' } | { readonly by: 'gloss' } | { readonly by: 'apertium'; readonly route: Route };

type OneText = {
  readonly text: string;
  readonly direction: Direction;
  readonly signal: AbortSignal;
  readonly terms: PairTerms | null;
};

/** The channel without keys and network: OpenCC, the word gloss, and the installed modes of Apertium. */
export class OfflineChannel implements TextChannel {
  private readonly apertium: Apertium;
  readonly #languages = new WeakMap<ReadonlySet<string>, ChannelLanguages>();

  constructor(options: ApertiumOptions) {
    this.apertium = new Apertium(options);
  }

  async availability(): Promise<Availability> {
    const installed = await this.apertium.installed();
    return installed.size > 0 ? { available: true, reason: null } : PARTIAL;
  }

  async supports(source: string, target: string): Promise<Quality | null> {
    const way = await this.way(source, target);
    return way === null ? null : way.by === 'gloss' ? 'gloss' : 'translation';
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
    const found =
      hasWords(guarded.masked) || way.by === 'gloss'
        ? await this.one(way, { ...asked, text: guarded.masked })
        : answer(guarded.masked);
    const { text: translated, lost } = restore(found.translated, guarded);
    const warning =
      lost.length > 0 && found.quality === 'translation' ? { code: 'LOST' as const, lost } : found.warning;
    return { ...found, translated, warning };
  }

  private async one(way: Way, { text, direction, signal }: OneText): Promise<TextAnswer> {
    if (signal.aborted) throw new ChannelFailure('timeout', 'the deadline passed', { cause: signal.reason });
    if (way.by === 'apertium') return translationOf(text, await this.through(way.route, text, signal), direction);
    if (way.by === 'script') return translationOf(text, answer(await convert(direction.target, text)), direction);
    return { ...answer(await gloss(await convert('zh-Hans', text))), quality: 'gloss', warning: { code: 'GLOSS' } };
  }

  private async through({ modes, via }: Route, text: string, signal: AbortSignal): Promise<TextAnswer> {
    let translated = text;
    for (const mode of modes) translated = await this.apertium.translate(mode, translated, signal);
    return { ...answer(translated), warning: via === null ? null : { code: 'VIA', via } };
  }

  private async way(source: string, target: string): Promise<Way | null> {
    if (source === target) return null;
    if (isChinese(source) && isChinese(target)) return { by: 'script' };
    if (isChinese(source) && target === 'en') return { by: 'gloss' };
    const route = routeOf(await this.apertium.installed(), source, target);
    return route === null ? null : { by: 'apertium', route };
  }
}

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
  const sources = new Set(['zh-Hans', 'zh-Hant']);
  const targets = new Set(['zh-Hans', 'zh-Hant', 'en']);
  for (const source of LANG_CODES)
    for (const target of LANG_CODES)
      if (routeOf(installed, source, target) !== null) {
        sources.add(source);
        targets.add(target);
      }
  return { sources, targets, auto: false };
}

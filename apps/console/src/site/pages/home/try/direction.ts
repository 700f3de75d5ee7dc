import type { Response } from '@yiqiao/contracts/endpoint';
import type { listTranslationPairs } from '@yiqiao/contracts/translation';
import { CHANNELS } from '@yiqiao/domain/channels';
import { callRoute } from '../../../../shared/api/call.js';
import { language } from '../../../../shared/i18n/language.js';

export type Direction = { readonly source: string; readonly target: string };

const PAIRS = { method: 'GET', path: '/tranChannel/pairs' } as const satisfies Pick<
  typeof listTranslationPairs,
  'method' | 'path'
>;

/** The directions of the offline engine, which every visitor may use. */
export async function loadDirections(signal: AbortSignal): Promise<readonly Direction[]> {
  const pairs: Response<typeof listTranslationPairs> = await callRoute<typeof listTranslationPairs>(
    PAIRS,
    {},
    { signal },
  );
  return pairs.filter(({ channelId }) => channelId === CHANNELS.offline.id);
}

/** The language of the example sentences. */
export const EXAMPLES_IN = language === 'zh' ? 'zh-Hans' : 'en';

/** In the order in which they are offered. */
const FIRST = ['en', 'zh-Hans', 'zh-Hant', 'es'];
const rank = (code: string): number => (FIRST.includes(code) ? FIRST.indexOf(code) : FIRST.length);
const inOrder = (codes: Iterable<string>): string[] => [...new Set(codes)].sort((a, b) => rank(a) - rank(b));

export const sourcesOf = (directions: readonly Direction[]): string[] =>
  inOrder(directions.map(({ source }) => source));
export const targetsOf = (directions: readonly Direction[], source: string): string[] =>
  inOrder(directions.filter((each) => each.source === source).map(({ target }) => target));

/** From `source` into `target` if that is possible, else into the first language that is. */
export function from(directions: readonly Direction[], source: string, target?: string): Direction | null {
  const targets = targetsOf(directions, source);
  const found = targets.find((each) => each === target) ?? targets[0];
  return found === undefined ? null : { source, target: found };
}

/** Until the directions are known. */
export const INITIAL: Direction =
  EXAMPLES_IN === 'en' ? { source: 'en', target: 'zh-Hans' } : { source: 'zh-Hans', target: 'en' };

const isChinese = (code: string): boolean => code.startsWith('zh-');

/** The same direction, or its reverse when the text is written in the other one of Chinese and English. */
export function fitting(direction: Direction, text: string, directions: readonly Direction[]): Direction {
  const { source, target } = direction;
  const hasHan = /\p{Script=Han}/u.test(text);
  const isWrong =
    (isChinese(source) && target === 'en' && !hasHan && /\p{L}/u.test(text)) ||
    (source === 'en' && isChinese(target) && hasHan);
  return isWrong ? (from(directions, target, source) ?? direction) : direction;
}

let names: Intl.DisplayNames | undefined;
/** The name of a language in the page's language. */
export const languageName = (code: string): string =>
  (names ??= new Intl.DisplayNames(language, {
    type: 'language',
    languageDisplay: language === 'zh' ? 'dialect' : 'standard',
  })).of(code) ?? code;

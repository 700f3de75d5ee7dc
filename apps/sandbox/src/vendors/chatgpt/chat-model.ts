import { isObject, isTexts, jsonIn } from '../request-body.js';
import { translate, type Done, type Term } from '../translate.js';
import type { Corruption } from '../vendor-faults.js';
import type { ChatRequest } from './chat-request.js';

/** What the model understood of its instructions. */
export interface Task {
  readonly texts: readonly string[];
  /** Null: to be found out. */
  readonly source: string | null;
  readonly target: string;
  /** Every string of an array is to be translated, and the answer is an object that holds as many. */
  readonly many: boolean;
  /** The source is to be named with each translation. */
  readonly named: boolean;
  readonly terms: readonly Term[];
}

/** A language in the instructions: its name, then its code in parentheses. */
const CODE = /\(([a-z]{2,3}(?:-[a-z0-9]{2,8})*)\)/gi;

/** Reads the instructions as a model would: the last language named is the target, the one before it the source. Null without any. */
export function understood({ system, user }: ChatRequest): Task | null {
  const codes = Array.from(system.matchAll(CODE), ([, code = '']) => code).filter(isLanguage);
  const target = codes.at(-1);
  if (target === undefined) return null;
  const list = /JSON array/.test(system) ? jsonIn(Buffer.from(user)) : null;
  const many = isTexts(list);
  return {
    texts: many ? list : [user],
    source: codes.at(-2) ?? null,
    target,
    many,
    named: system.includes('"source"'),
    terms: termsIn(system),
  };
}

/** Lines of the instructions that are JSON objects of a term and its translation. */
function termsIn(system: string): readonly Term[] {
  return system.split('\n').flatMap((line) => {
    const said = line.startsWith('{') ? jsonIn(Buffer.from(line)) : null;
    if (!isObject(said)) return [];
    const { term, translation } = said;
    return typeof term === 'string' && typeof translation === 'string' ? [{ term, translation }] : [];
  });
}

function isLanguage(code: string): boolean {
  try {
    return new Intl.Locale(code).language.length > 0;
  } catch {
    return false;
  }
}

/** The language of a picture, as the instructions tell it; English when they do not. */
export const languageToRead = ({ system }: ChatRequest): string =>
  Array.from(system.matchAll(CODE), ([, code = '']) => code)
    .filter(isLanguage)
    .at(-1) ?? 'en';

/** What the model writes. */
export function written(task: Task, corruptions: readonly Corruption[]): string {
  const { texts, source, target, terms } = task;
  const done = translate({ vendor: 'chatgpt', texts, source, target, terms }, corruptions);
  const view = ({ text, found }: Done) => (task.named ? { source: found?.tag ?? source, translation: text } : text);
  if (task.many) return JSON.stringify({ translations: done.map(view) });
  const [only] = done;
  if (!only) return '';
  return task.named ? JSON.stringify(view(only)) : only.text;
}

/** Tokens of a text: a sign of Chinese each, else four letters. */
export function tokensOf(text: string): number {
  const signs = text.match(/[^\p{ASCII}]/gu)?.length ?? 0;
  return Math.ceil(signs + (text.length - signs) / 4);
}

/** As much of a text as so many tokens hold. */
export function firstTokens(text: string, most: number): string {
  return Array.from(text).slice(0, most).join('');
}

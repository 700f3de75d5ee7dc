import { isObject, isTexts, jsonIn } from '../request-body.js';
import { translate, type TranslatedText, type Term } from '../translate.js';
import type { Register } from '../translation/language.js';
import type { Corruption } from '../vendor-faults.js';
import type { ChatRequest } from './chat-request.js';

/** The translation task parsed from the prompt. */
export interface Task {
  readonly texts: readonly string[];
  /** Null: detect it. */
  readonly source: string | null;
  readonly target: string;
  /** Translate every string of an array and reply with an object that holds the translations. */
  readonly isBatch: boolean;
  /** Report the source language with each translation. */
  readonly named: boolean;
  readonly terms: readonly Term[];
  readonly register: Register | null;
}

/** A language in the instructions: its name, then its code in parentheses. */
const CODE = /\(([a-z]{2,3}(?:-[a-z0-9]{2,8})*)\)/gi;

/** Parses the prompt: the last language named is the target, the one before it the source. Null without any. */
export function parseTask({ system, user }: ChatRequest): Task | null {
  const codes = Array.from(system.matchAll(CODE), ([, code = '']) => code).filter(isLanguage);
  const target = codes.at(-1);
  if (target === undefined) return null;
  const list = /JSON array/.test(system) ? jsonIn(Buffer.from(user)) : null;
  const isBatch = isTexts(list);
  return {
    texts: isBatch ? list : [user],
    source: codes.at(-2) ?? null,
    target,
    isBatch,
    named: system.includes('"source"'),
    terms: termsIn(system),
    register: /\binformally\b/.test(system) ? 'informal' : /\bformally\b/.test(system) ? 'formal' : null,
  };
}

/** Glossary terms: prompt lines that are JSON objects of a term and its translation. */
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

/** The language of a picture as named in the prompt; English by default. */
export const pictureLanguage = ({ system }: ChatRequest): string =>
  Array.from(system.matchAll(CODE), ([, code = '']) => code)
    .filter(isLanguage)
    .at(-1) ?? 'en';

/** The model's reply. */
export function generateReply(task: Task, corruptions: readonly Corruption[]): string {
  const { texts, source, target, terms, register } = task;
  const done = translate({ vendor: 'chatgpt', texts, source, target, terms, register }, corruptions);
  const view = ({ text, detected }: TranslatedText) =>
    task.named ? { source: detected?.tag ?? source, translation: text } : text;
  if (task.isBatch) return JSON.stringify({ translations: done.map(view) });
  const [only] = done;
  if (!only) return '';
  return task.named ? JSON.stringify(view(only)) : only.text;
}

/** Tokens of a text: one per non-ASCII character, one per four others. */
export function countTokens(text: string): number {
  const signs = text.match(/[^\p{ASCII}]/gu)?.length ?? 0;
  return Math.ceil(signs + (text.length - signs) / 4);
}

/** Cuts a text after so many characters. */
export function truncateToTokens(text: string, most: number): string {
  return Array.from(text).slice(0, most).join('');
}

import { tokenize, type Token } from './tokenizer.js';
import { PHRASES, type Phrase } from './texts-phrases.js';
import type { Language, Register } from './language.js';

/** Slot for a verbatim token: `Order # has been shipped`. */
const SLOT = '#';

const COLUMNS = [
  'hans',
  'hant',
  'en',
  'ja',
  'ko',
  'fr',
  'de',
  'es',
  'pt',
  'ru',
  'ar',
] as const satisfies (keyof Phrase)[];

/** The phrase book's column of a language, or null. */
function columnOf({ base, script }: Language): keyof Phrase | null {
  if (base === 'zh') return script === 'Hant' ? 'hant' : 'hans';
  return COLUMNS.find((column) => column === base) ?? null;
}

/** Lookup key: words and slots, ignoring spaces and case. */
function keyOf(pieces: readonly Token[]): string {
  return pieces
    .filter(({ kind }) => kind !== 'space' && kind !== 'line')
    .map(({ kind, text }) => (kind === 'kept' ? SLOT : text))
    .join('')
    .replaceAll('’', "'")
    .toLowerCase();
}

/** The phrases of each column by lookup key, all variants included. */
const columns = new Map<keyof Phrase, ReadonlyMap<string, Phrase>>();

function phrasesIn(column: keyof Phrase): ReadonlyMap<string, Phrase> {
  let found = columns.get(column);
  if (!found) {
    found = new Map(PHRASES.flatMap((phrase) => variants(phrase[column]).map((text) => [keyOfText(text), phrase])));
    columns.set(column, found);
  }
  return found;
}

const variants = (text: string): readonly string[] => text.split(' | ');

const keyOfText = (text: string): string => keyOf(tokenize(text.replaceAll(/[¿¡]/g, '')));

/** Looks up the phrase and fills its slots with the verbatim tokens; null when it is not in the book. */
export function translatePhrase(
  pieces: readonly Token[],
  {
    source,
    target,
    wording,
    register,
  }: { source: Language; target: Language; wording: number; register?: Register | null },
): string | null {
  const [from, to] = [columnOf(source), columnOf(target)];
  if (from === null || to === null || pieces.length === 0) return null;
  const phrase = phrasesIn(from).get(keyOf(pieces));
  if (!phrase) return null;
  const choices = variants(phrase[to]);
  const kept = pieces.filter(({ kind }) => kind === 'kept').map(({ text }) => text);
  const chosen = register ? (register === 'formal' ? 0 : choices.length - 1) : wording % choices.length;
  return (choices[chosen] ?? '').replaceAll(SLOT, () => kept.shift() ?? '');
}

/** The language of a known phrase, or null. */
export function languageOfPhrase(text: string): string | null {
  const key = keyOf(tokenize(text).filter(({ kind }) => kind === 'word'));
  const column = key === '' ? undefined : COLUMNS.find((name) => phrasesIn(name).has(key));
  if (column === 'hans' || column === 'hant') return column === 'hans' ? 'zh-Hans' : 'zh-Hant';
  return column ?? null;
}

import { piecesOf, type Piece } from './pieces.js';
import { PHRASES, type Phrase } from './texts-phrases.js';
import type { Language } from './language.js';

/** Stands for what goes through as it is: `Order # has been shipped`. */
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

/** The column of the book for a language, or null when the book does not have it. */
function columnOf({ base, script }: Language): keyof Phrase | null {
  if (base === 'zh') return script === 'Hant' ? 'hant' : 'hans';
  return COLUMNS.find((column) => column === base) ?? null;
}

/** Words and slots without what is between them, so that neither spaces nor capitals matter. */
function keyOf(pieces: readonly Piece[]): string {
  return pieces
    .filter(({ kind }) => kind !== 'space' && kind !== 'line')
    .map(({ kind, text }) => (kind === 'kept' ? SLOT : text))
    .join('')
    .replaceAll('’', "'")
    .toLowerCase();
}

/** A column's phrases by their keys, in every wording. */
const columns = new Map<keyof Phrase, ReadonlyMap<string, Phrase>>();

function phrasesIn(column: keyof Phrase): ReadonlyMap<string, Phrase> {
  let found = columns.get(column);
  if (!found) {
    found = new Map(PHRASES.flatMap((phrase) => wordings(phrase[column]).map((text) => [keyOfText(text), phrase])));
    columns.set(column, found);
  }
  return found;
}

const wordings = (text: string): readonly string[] => text.split(' | ');

const keyOfText = (text: string): string => keyOf(piecesOf(text.replaceAll(/[¿¡]/g, '')));

/** What the book says for these words in the target's language, with what they keep put in; null when it does not know them. */
export function phraseFor(
  pieces: readonly Piece[],
  { source, target, wording }: { source: Language; target: Language; wording: number },
): string | null {
  const [from, to] = [columnOf(source), columnOf(target)];
  if (from === null || to === null || pieces.length === 0) return null;
  const phrase = phrasesIn(from).get(keyOf(pieces));
  if (!phrase) return null;
  const choices = wordings(phrase[to]);
  const kept = pieces.filter(({ kind }) => kind === 'kept').map(({ text }) => text);
  return (choices[wording % choices.length] ?? '').replaceAll(SLOT, () => kept.shift() ?? '');
}

/** The language of which the book knows these words, or null. */
export function phraseLanguage(text: string): string | null {
  const key = keyOf(piecesOf(text).filter(({ kind }) => kind === 'word'));
  const column = key === '' ? undefined : COLUMNS.find((name) => phrasesIn(name).has(key));
  if (column === 'hans' || column === 'hant') return column === 'hans' ? 'zh-Hans' : 'zh-Hant';
  return column ?? null;
}

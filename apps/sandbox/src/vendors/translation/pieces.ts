/**
 * A text as the pseudo-translation takes it apart. `word`: letters that are translated. `kept`: what goes through as it is: addresses,
 * masks, placeholders, tags, names with digits, short words in capitals, emoji. `mark`: one sign of punctuation, or a symbol.
 */
export interface Piece {
  readonly kind: 'word' | 'kept' | 'mark' | 'space' | 'line';
  readonly text: string;
}

/** Scripts that are written without spaces between words. */
const DENSE = '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}\\p{sc=Tibt}';

const KEPT = [
  '(?:https?://|www\\.)[^\\s<>"\\p{sc=Han}]+',
  '(?<![\\w.+\\-])[\\w.+\\-]+@[\\w\\-]+(?:\\.[\\w\\-]+)+',
  '⟦[^⟧]*⟧',
  '⟨[^⟩]*⟩',
  '\\[\\[[^\\]]*\\]\\]',
  '\\{\\{[^\\{\\}]*\\}\\}',
  '\\$?\\{[^\\{\\}]*\\}',
  '<[a-zA-Z\\/!][^<>]*>',
  '&(?:[a-zA-Z]+|#\\d+|#x[0-9a-fA-F]+);',
  '%(?:\\d+\\$)?[\\-+0-9.]*[sdifuxXc@]',
  '@\\w+',
  '(?=[\\p{Emoji}--\\p{ASCII}])\\p{RGI_Emoji}',
  '[A-Za-z\\-]*\\d(?:[A-Za-z0-9_.,:\\/\\-]*[A-Za-z0-9])?',
  '\\p{N}+',
  // An abbreviation: not where everything is in capitals.
  '(?<![A-Z] )\\b[A-Z]{2,4}(?:-[A-Z0-9]+)*\\b(?! [A-Z]{2})',
].join('|');

const PIECE = new RegExp(
  `(?<line>\\r\\n|[\\r\\n\\u2028\\u2029])|(?<space>[^\\S\\r\\n\\u2028\\u2029]+)|(?<kept>${KEPT})|` +
    `(?<word>[${DENSE}ー]+|[[\\p{L}\\p{M}]--[${DENSE}]]+(?:['’\\-][[\\p{L}\\p{M}]--[${DENSE}]]+)*)|(?<mark>[\\s\\S])`,
  'gv',
);

const KINDS = ['word', 'space', 'mark', 'kept', 'line'] as const;

/** Every piece of a text, in order: joined they are the text. */
export function piecesOf(text: string): readonly Piece[] {
  return Array.from(text.matchAll(PIECE), ({ 0: found, groups }) => ({
    kind: KINDS.find((kind) => groups?.[kind] !== undefined) ?? 'mark',
    text: found,
  }));
}

const DENSE_WORD = new RegExp(`^[${DENSE}ー]`, 'v');

/** Whether the word is of a script without spaces. */
export const isDense = (word: string): boolean => DENSE_WORD.test(word);

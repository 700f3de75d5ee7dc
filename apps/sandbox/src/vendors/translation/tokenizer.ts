/**
 * A token of a text. `word`: letters to translate. `kept`: copied verbatim: URLs, masks, placeholders, tags,
 * names with digits, short words in capitals, emoji. `mark`: one punctuation character or symbol.
 */
export interface Token {
  readonly kind: 'word' | 'kept' | 'mark' | 'space' | 'line';
  readonly text: string;
}

/** Scripts written without spaces between words. */
const UNSPACED_SCRIPTS =
  '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}\\p{sc=Tibt}';

const VERBATIM = [
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
  // An abbreviation, but not in text that is all capitals.
  '(?<![A-Z] )\\b[A-Z]{2,4}(?:-[A-Z0-9]+)*\\b(?! [A-Z]{2})',
].join('|');

const TOKEN = new RegExp(
  `(?<line>\\r\\n|[\\r\\n\\u2028\\u2029])|(?<space>[^\\S\\r\\n\\u2028\\u2029]+)|(?<kept>${VERBATIM})|` +
    `(?<word>[${UNSPACED_SCRIPTS}ー]+|[[\\p{L}\\p{M}]--[${UNSPACED_SCRIPTS}]]+(?:['’\\-][[\\p{L}\\p{M}]--[${UNSPACED_SCRIPTS}]]+)*)|(?<mark>[\\s\\S])`,
  'gv',
);

const KINDS = ['word', 'space', 'mark', 'kept', 'line'] as const;

/** Splits a text into tokens; joined they give the text. */
export function tokenize(text: string): readonly Token[] {
  return Array.from(text.matchAll(TOKEN), ({ 0: found, groups }) => ({
    kind: KINDS.find((kind) => groups?.[kind] !== undefined) ?? 'mark',
    text: found,
  }));
}

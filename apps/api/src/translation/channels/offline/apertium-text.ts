/**
 * The stream format of Apertium: `\ [ ] { } ^ $ / < > @` are syntax and `[…]` is a blank that passes unchanged. Protected pieces (links,
 * placeholders, unusual white space, control characters) are kept here and replaced by their number, as `[3]`.
 */

export type Encoded = { readonly stream: string; readonly kept: readonly string[] };

// "~" triggers the post-generator and would vanish. White space other than a single space would be folded. A lone surrogate has no UTF-8.
const KEPT = new RegExp(
  [
    String.raw`(?:https?:\/\/|www\.)[^\s<>"'，。；、）】》]*[^\s<>"'，。；、）】》.,;:!?)\]]`,
    String.raw`[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}`,
    String.raw`\{\{[^{}\s]{1,64}\}\}|\$?\{[^{}\s]{1,64}\}|%(?:\d\$)?[sd]\b`,
    String.raw`[^\S ]\s*| \s+|[~\p{Cc}\p{Cs}]+`,
  ].join('|'),
  'gu',
);

const escape = (text: string): string => text.replace(/[\\[\]{}^$/<>@]/g, String.raw`\$&`);

/** Encodes one trimmed line for the first stage. */
export const encode = (line: string): Encoded => {
  const kept: string[] = [];
  let stream = '';
  let end = 0;
  for (const match of line.matchAll(KEPT)) {
    stream += `${escape(line.slice(end, match.index))}[${kept.length}]`;
    kept.push(match[0]);
    end = match.index + match[0].length;
  }
  return { stream: stream + escape(line.slice(end)), kept };
};

/**
 * Decodes the output of the last stage, trimmed. Null when a kept piece is missing or doubled (some pairs copy a blank when they reorder),
 * because the translation is then wrong.
 */
export const decode = (stream: string, kept: readonly string[]): string | null => {
  const seen = new Set<number>();
  let doubled = false;
  // Engines insert double spaces ("y  quiero"); those of the text are kept pieces, so folding is safe.
  const text = stream.replace(/ {2,}/g, ' ').replace(/\\(.)|\[((?:[^\]\\]|\\.)*)\]/gsu, (_, escaped, blank) => {
    if (typeof escaped === 'string') return escaped;
    const number = /^\d+$/.test(String(blank)) ? Number(blank) : -1;
    const piece = kept[number];
    if (piece === undefined) return String(blank).replace(/\\(.)/gsu, '$1');
    doubled ||= seen.has(number);
    seen.add(number);
    return piece;
  });
  return doubled || seen.size !== kept.length ? null : text.trim();
};

/** A piece of a text, to translate (`words`) or to keep unchanged. */
export type Piece = { readonly text: string; readonly words: boolean };

/** Cuts a line at its kept pieces: the fallback when {@link decode} returns null. */
export const cut = (line: string): Piece[] => {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of line.matchAll(KEPT)) {
    pieces.push(...trimmed(line.slice(end, match.index)), { text: match[0], words: false });
    end = match.index + match[0].length;
  }
  return [...pieces, ...trimmed(line.slice(end))];
};

/** The trimmed lines of a text and the white space between and around them. Joined they are the text. */
export const lines = (text: string): Piece[] =>
  text.split(/([\n\r\v\f\u0085\u2028\u2029]+)/u).flatMap((part) => trimmed(part));

const trimmed = (text: string): Piece[] => {
  const body = text.trim();
  const start = body === '' ? text.length : text.indexOf(body);
  return [
    { text: text.slice(0, start), words: false },
    { text: body, words: /\p{L}/u.test(body) },
    { text: text.slice(start + body.length), words: false },
  ].filter((piece) => piece.text !== '');
};

import { LINKS, LOOSE_ENDS, MAY_LINK, OTHERS } from './protected-kinds.js';
import { type Span, union } from './spans.js';

/** Where a text holds what must survive, in order. Pieces that touch are one: they stay together. Linear in the text. */
export const findProtected = (text: string): readonly Span[] =>
  union([...comments(text), ...links(text), ...matches(OTHERS, text)]);

/** Where a text holds links and e-mail addresses, in order. */
export const findLinks = (text: string): readonly Span[] => union(links(text));

const links = (text: string): Span[] => (MAY_LINK.test(text) ? matches(LINKS, text) : []);

const matches = (patterns: readonly RegExp[], text: string): Span[] => {
  const spans: Span[] = [];
  for (const pattern of patterns) {
    // matchAll would copy each pattern for each text, which takes longer than to look for it. None of them matches nothing.
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const length = LOOSE_ENDS.has(pattern) ? trimmedLength(match[0]) : match[0].length;
      if (length > 0) spans.push({ start: match.index, end: match.index + length });
    }
  }
  return spans;
};

// As a pattern this would look for the end again from each beginning.
const comments = (text: string): Span[] => {
  const found: Span[] = [];
  for (let start = text.indexOf('<!--'); start >= 0;) {
    const close = text.indexOf('-->', start + 4);
    if (close < 0) break;
    found.push({ start, end: close + 3 });
    start = text.indexOf('<!--', close + 3);
  }
  return found;
};

const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

// The full stop after an address ends the sentence; a bracket belongs to it only when it was opened in it.
const trimmedLength = (address: string): number => {
  const open = new Map<string, number>();
  for (const character of address) open.set(character, (open.get(character) ?? 0) + 1);
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address.charAt(end - 1);
    const opening = OPENING[last];
    if (opening === undefined ? !/[.,;:!?'*_~|]/.test(last) : (open.get(last) ?? 0) <= (open.get(opening) ?? 0)) break;
    open.set(last, (open.get(last) ?? 0) - 1);
  }
  return end;
};

import type { Lexicon } from './lexicon.js';

/** Dropped before words are looked up: Chinese has no articles and no auxiliaries like these. */
const DROPPED = new Set(['a', 'an', 'the', 'do', 'does', 'did', 'to', 'of']);
const MAX_WORDS = 5;

const MARKS: Readonly<Record<string, string>> = { ',': '，', '.': '。', '?': '？', '!': '！', ':': '：', ';': '；' };

const ASKS = /^(?:do|does|did|is|are|was|were|can|could|will|would|have|has)$/;
const SWAPPED = /^(?:can|could|will|would)$/i;

/** "can I", "when will you": Chinese says the person first. */
function questionOrder(tokens: string[]): void {
  tokens.forEach((token, at) => {
    const [before = '', after = ''] = [tokens[at - 1], tokens[at + 1]];
    const isFirst = at === 0 || /^(?:[.!?,]|when|how|what|where|why)$/i.test(before);
    if (isFirst && SWAPPED.test(token) && /^(?:i|you|we|they|he|she|it)$/i.test(after))
      [tokens[at], tokens[at + 1]] = [after, token];
  });
}

/** One line of English as Chinese words in the order of the English. */
export function chineseGloss(line: string, lexicon: Lexicon): string {
  const tokens = [
    ...line.matchAll(/[\uE000-\uF8FF]|[$€£]?\d+(?:[.,]\d+)*%?|[\p{L}\p{M}]+(?:['’-]\p{L}+)*|[^\s]/gu),
  ].map(([token]) => token);
  questionOrder(tokens);
  const out: string[] = [];
  let isQuestion = false;
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at] ?? '';
    const lower = token.toLowerCase();
    const starts = at === 0 || /[.!?]/.test(tokens[at - 1] ?? '');
    if (starts)
      isQuestion = [lower, (tokens[at + 1] ?? '').toLowerCase()].some((word, place) =>
        (place === 0 ? ASKS : SWAPPED).test(word),
      );
    if (!/\p{L}/u.test(token)) {
      if (token === '?' && isQuestion) out.push('吗');
      out.push(MARKS[token] ?? token);
      at += 1;
      continue;
    }
    let found = lexicon.chinese(tokens.slice(at, at + MAX_WORDS).map((each) => each.toLowerCase()));
    if (found?.length === 1 && DROPPED.has(lower)) found = null;
    if (found) out.push(found.zh);
    else if (!DROPPED.has(lower)) out.push(token);
    at += found?.length ?? 1;
  }
  return out.reduce(
    (text, word) =>
      text + (/[\p{Script=Latin}\d%]$/u.test(text) && /^[\p{Script=Latin}\d$€£]/u.test(word) ? ' ' : '') + word,
    '',
  );
}

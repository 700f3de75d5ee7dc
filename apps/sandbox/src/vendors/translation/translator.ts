import { translatePhrase } from './phrase-book.js';
import { sandboxIn } from './scripts.js';
import { tokenize, type Token } from './tokenizer.js';
import type { Language, Register } from './language.js';

/** How to translate: languages, and the wording, which differs between vendors. */
export interface TranslationStyle {
  /** Index of the vendor: selects a variant of a phrase, and the marks. */
  readonly wording: number;
  readonly source: Language;
  readonly target: Language;
  /** Whether the first or the last variant of a phrase is chosen, instead of the vendor's own. */
  readonly register?: Register | null;
}

/** Characters that delimit clauses; each clause is looked up in the phrase book. */
const BOUNDARY = /[,.!?;:，。！？；：、…؟،।]/u;

/** Opening and closing marks, by vendor: two vendors never answer the same. */
const MARKS = ['[]', '()', '«»', '“”', '‹›', '【】', '〈〉'] as const;

/**
 * Deterministic stand-in for a translation: what the phrase book has in full; anything else unchanged between marks that say "sandbox" in
 * the target's script, so that nobody takes it for a poor translation and the script is right.
 */
export function sandboxTranslation(text: string, style: TranslationStyle): string {
  const parts: string[] = [];
  for (const clause of clausesOf(tokenize(text))) {
    const [head, core, tail] = trimmed(clause);
    const said = translatePhrase(core, style) ?? betweenKept(core, style);
    if (said === null) return marked(text, style);
    parts.push(joinTokens(head), said, joinTokens(tail));
  }
  return parts.join('');
}

/** Phrases between pieces that are kept, joined as they stand; null when one of them is not in the book. */
function betweenKept(pieces: readonly Token[], style: TranslationStyle): string | null {
  const parts: string[] = [];
  for (let at = 0; at < pieces.length;) {
    const next = pieces.findIndex(({ kind }, index) => index >= at && kind === 'kept');
    const end = next < 0 ? pieces.length : next;
    const [head, core, tail] = trimmed(pieces.slice(at, end));
    const said = core.length === 0 ? '' : translatePhrase(core, style);
    if (said === null) return null;
    parts.push(joinTokens(head), said, joinTokens(tail), pieces[end]?.text ?? '');
    at = end + 1;
  }
  return parts.join('');
}

/** White space at the ends stays there. */
function marked(text: string, { wording, target }: TranslationStyle): string {
  const [open = '', close = ''] = MARKS[wording % MARKS.length] ?? MARKS[0];
  const mark = open + sandboxIn(target.script) + close;
  const [, before = '', core = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
  return `${before}${mark} ${core} ${mark}${after}`;
}

/** Splits at clause boundaries and line breaks, which become clauses of their own. */
function clausesOf(pieces: readonly Token[]): readonly (readonly Token[])[] {
  const clauses: Token[][] = [[]];
  for (const piece of pieces) {
    const isBoundary = piece.kind === 'line' || (piece.kind === 'mark' && BOUNDARY.test(piece.text));
    if (isBoundary) clauses.push([piece], []);
    else clauses.at(-1)?.push(piece);
  }
  return clauses;
}

/** Separates leading and trailing white space and punctuation. */
function trimmed(clause: readonly Token[]): readonly [readonly Token[], readonly Token[], readonly Token[]] {
  const isContent = ({ kind }: Token) => kind === 'word' || kind === 'kept';
  const first = clause.findIndex(isContent);
  const last = clause.findLastIndex(isContent);
  return first < 0 ? [clause, [], []] : [clause.slice(0, first), clause.slice(first, last + 1), clause.slice(last + 1)];
}

const joinTokens = (pieces: readonly Token[]): string => pieces.map(({ text }) => text).join('');

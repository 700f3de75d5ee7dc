import { isWide } from './fonts.js';
import { type Style, widthOf } from './widths.js';

/** What may not begin a line, and what may not end one. */
const CLOSES = /^[，。、！？：；）】」』》〉”’…％·,.!?:;)\]}%»]/u;
const OPENS = /[（【「『《〈“‘([{«]$/u;

/** A text in pieces that are not parted, each with its width in ems. */
export type Piece = {
  readonly text: string;
  readonly width: number;
  /** A space stands before it where it is not first. */ readonly spaced: boolean;
};

export async function piecesOf(text: string, style: Style): Promise<readonly Piece[]> {
  const pieces: { text: string; spaced: boolean }[] = [];
  for (const [at, word] of text.trim().split(/\s+/u).entries())
    for (const [nth, part] of unparted(word, style.language).entries())
      pieces.push({ text: part, spaced: at > 0 && nth === 0 });
  return Promise.all(pieces.map(async (piece) => ({ ...piece, width: await widthOf(piece.text, style) })));
}

/** A word of letters stays whole; between wide characters a line may end anywhere but before a mark that closes, or after one that opens. */
function unparted(word: string, language: string): string[] {
  const parts: string[] = [];
  // Thai, Lao, Khmer and Burmese leave no spaces between words.
  const byWord = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(word);
  const units = byWord
    ? Array.from(new Intl.Segmenter(language, { granularity: 'word' }).segment(word), ({ segment }) => segment)
    : [...word];
  let before = '';
  for (const unit of units) {
    const joins = !byWord && !isWide(unit) && !isWide(before);
    const isBound = CLOSES.test(unit) || OPENS.test(before);
    if (parts.length > 0 && (joins || isBound)) parts[parts.length - 1] += unit;
    else parts.push(unit);
    before = unit;
  }
  return parts;
}

/** Fills lines of `width` ems. A piece that is wider than a line alone has one of its own: null then. */
export function wrap(pieces: readonly Piece[], width: number, space: number): readonly string[] | null {
  const lines: string[] = [];
  let [line, length] = ['', 0];
  for (const { text, width: own, spaced } of pieces) {
    if (own > width) return null;
    const needed = own + (spaced && line !== '' ? space : 0);
    if (line !== '' && length + needed > width) {
      lines.push(line);
      [line, length] = [text, own];
    } else {
      line += (spaced && line !== '' ? ' ' : '') + text;
      length += needed;
    }
  }
  return line === '' ? lines : [...lines, line];
}

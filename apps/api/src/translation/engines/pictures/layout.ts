import sharp from 'sharp';
import { familiesOf, isWide } from './fonts.js';
import type { Box } from './jobs.js';

/** The room for a text: `own` is the original's box, `room` the box into which it may grow. */
export type Room = { readonly own: Box; readonly room: Box; readonly em: number; readonly pitch: number };

export type Layout = { readonly lines: readonly string[]; readonly em: number; readonly pitch: number };

/** Smaller type is illegible. */
const LEAST_EM = 8;
/** The height of a single line, in ems. */
const LEADING = 1.22;
/** The letters of one line from top to bottom, in ems. */
const TALL = 1.08;
const STEP = 0.96;
const ONE_LINE = 0.78;
/** The usable part of the width, because measuring is not exact. */
const SAFETY = 0.985;

/**
 * Chooses the largest type, at most that of the original, with which the text fits: into the original's box, or into the room around it before
 * it shrinks. A text that does not fit at the smallest size ends with `…`.
 */
export async function layOut(text: string, style: Style, { own, room, em, pitch }: Room): Promise<Layout> {
  const pieces = await piecesOf(text, style);
  const space = await widthOf('n n', style).then(async (both) => both - (await widthOf('nn', style)));
  const single = own[3] < 1.6 * em;
  const leading = single ? LEADING : Math.max(1.05, Math.min(2.2, pitch / em));
  const fits = (size: number, [, , width, height]: Box): Layout | null => {
    const lines = wrap(pieces, (width * SAFETY) / size, space);
    if (lines === null) return null;
    const high = (lines.length - 1) * leading * size + size * TALL;
    // As high as the original is not too high.
    return lines.length <= 1 || high <= Math.max(height, own[3]) + 0.15 * size
      ? { lines, em: size, pitch: leading * size }
      : null;
  };
  const least = Math.min(em, LEAST_EM);
  // A single line stays one unless it had to become much smaller.
  for (let size = em; single && size > Math.max(least, ONE_LINE * em); size *= STEP) {
    const found = fits(size, room);
    if (found && found.lines.length <= 1) return found;
  }
  for (let size = em; size > least; size *= STEP) {
    const found = (size > 0.86 * em ? fits(size, [own[0], room[1], own[2] * 1.02, room[3]]) : null) ?? fits(size, room);
    if (found) return found;
  }
  return cut(pieces, { width: (room[2] * SAFETY) / least, height: room[3], space, least, leading });
}

function cut(
  pieces: readonly Piece[],
  {
    width,
    height,
    space,
    least,
    leading,
  }: { width: number; height: number; space: number; least: number; leading: number },
): Layout {
  const narrow = pieces.flatMap((piece) => (piece.width > width ? lettersOf(piece) : [piece]));
  const lines = wrap(narrow, width, space) ?? [];
  const most = Math.max(1, Math.floor((height / least - TALL) / leading) + 1);
  if (lines.length <= most) return { lines, em: least, pitch: leading * least };
  const kept = lines.slice(0, most);
  const last = [...(kept.at(-1) ?? '')].slice(0, -1).join('').trimEnd();
  return { lines: [...kept.slice(0, -1), `${last}…`], em: least, pitch: leading * least };
}

const lettersOf = ({ text, width, spaced }: Piece): Piece[] =>
  [...text].map((letter, at, all) => ({ text: letter, width: width / all.length, spaced: spaced && at === 0 }));

/** Characters that must not begin a line, and those that must not end one. */
const CLOSES = /^[，。、！？：；）】」』》〉”’…％·,.!?:;)\]}%»]/u;
const OPENS = /[（【「『《〈“‘([{«]$/u;

/** An unbreakable piece of a text with its width in ems. */
export type Piece = {
  readonly text: string;
  readonly width: number;
  /** A space precedes it unless it begins a line. */ readonly spaced: boolean;
};

export async function piecesOf(text: string, style: Style): Promise<readonly Piece[]> {
  const pieces: { text: string; spaced: boolean }[] = [];
  for (const [at, word] of text.trim().split(/\s+/u).entries())
    for (const [nth, part] of unparted(word, style.language).entries())
      pieces.push({ text: part, spaced: at > 0 && nth === 0 });
  return Promise.all(pieces.map(async (piece) => ({ ...piece, width: await widthOf(piece.text, style) })));
}

/** Words of letters are unbreakable; between wide characters a line may break except before closing and after opening punctuation. */
function unparted(word: string, language: string): string[] {
  const parts: string[] = [];
  // Thai, Lao, Khmer and Burmese have no spaces between words.
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

/** Fills lines of `width` ems; null when a piece is wider than a line. */
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

/** The style in which letters are measured and drawn. */
export type Style = { readonly language: string; readonly bold: boolean };

/** The size for measuring, in pixels. */
const SIZE = 100;
/** Scripts without joining letters; in the others words are measured as a whole. */
const LOOSE = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Nd}\p{P}\p{S}\p{Z}]$/u;
const MOST = 20_000;

const known = new Map<string, Promise<number>>();

/** The width of a text in ems, drawn in one line. */
export async function widthOf(text: string, style: Style): Promise<number> {
  let width = 0;
  for (const part of text.split(/(\s+)/u)) {
    const characters = [...part];
    const pieces = characters.every((one) => LOOSE.test(one) || isWide(one)) ? characters : [part];
    for (const piece of pieces) if (piece !== '') width += await pieceOf(piece, style);
  }
  return width;
}

function pieceOf(piece: string, style: Style): Promise<number> {
  if (isWide(piece)) return Promise.resolve(1);
  const key = JSON.stringify([style.language, style.bold, piece]);
  const found = known.get(key);
  if (found) return found;
  if (known.size >= MOST) known.clear();
  const measured = measure(piece, style);
  known.set(key, measured);
  return measured;
}

/** Measures several copies between two known letters, because the drawn extent excludes the side bearings. */
async function measure(piece: string, style: Style): Promise<number> {
  const times = [...piece].length === 1 ? 8 : 1;
  const [both, between] = [await inkWidth('HH', style), await inkWidth(`H${piece.repeat(times)}H`, style)];
  return Math.max(0, between - both) / times / SIZE;
}

async function inkWidth(text: string, { language, bold }: Style): Promise<number> {
  const font = `${familiesOf(language).join(', ')} ${bold ? 'Bold ' : ''}${SIZE}`;
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const { info } = await sharp({ text: { text: safe, font, dpi: 72 } })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return info.width;
}

import sharp from 'sharp';
import { familiesOf, isWide } from './fonts.js';
import type { Box } from './jobs.js';

/** What there is for a text: `own` it had before, `room` it may grow to. */
export type Room = { readonly own: Box; readonly room: Box; readonly em: number; readonly pitch: number };

export type Layout = { readonly lines: readonly string[]; readonly em: number; readonly pitch: number };

/** Below this nobody can read it. */
const LEAST_EM = 8;
/** A line that stands alone is this high. */
const LEADING = 1.22;
/** The letters of one line from top to bottom, in ems. */
const TALL = 1.08;
const STEP = 0.96;
const ONE_LINE = 0.78;
/** Of the width, for what measuring gets wrong. */
const SAFETY = 0.985;

/**
 * The largest type, at most that of the original, with which the text fits: first into what the original took, then into the room
 * around it as soon as it would have to shrink. What does not fit at the least size ends with `…`.
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
    // What is as high as the original was is not too high.
    return lines.length <= 1 || high <= Math.max(height, own[3]) + 0.15 * size
      ? { lines, em: size, pitch: leading * size }
      : null;
  };
  const least = Math.min(em, LEAST_EM);
  // A line stays one as long as it need not become much smaller.
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

/** Of a style of letters, as wide as they are drawn. */
export type Style = { readonly language: string; readonly bold: boolean };

/** Measured at this size, in pixels. */
const SIZE = 100;
/** Scripts whose letters stand side by side whatever their neighbours are; in others they join, and words are measured whole. */
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

/** Between two letters that are known, several times: what is drawn leaves out the space around a letter. */
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

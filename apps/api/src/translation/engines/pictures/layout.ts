import type { Box } from './jobs.js';
import { type Piece, piecesOf, wrap } from './wrap.js';
import { type Style, widthOf } from './widths.js';

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

import sharp from 'sharp';
import { familiesOf, isWide } from './fonts.js';

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

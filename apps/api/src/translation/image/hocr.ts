import type { Box, ReadLine, Word } from '../engines/pictures/jobs.js';

const TAG =
  /<span class='(ocr_line|ocr_header|ocr_caption|ocr_textfloat|ocrx_word)'[^>]*title=(?:"([^"]*)"|'([^']*)')[^>]*>([^<]*)/g;

/** The lines of what Tesseract writes as hOCR, in its order. */
export function linesOf(hocr: string): readonly ReadLine[] {
  const lines: (Omit<ReadLine, 'words'> & { words: Word[] })[] = [];
  // What stands emphasised is a text as any other.
  for (const [, kind, double, single, text = ''] of hocr.replaceAll(/<\/?(strong|em)>/g, '').matchAll(TAG)) {
    const title = double ?? single ?? '';
    const box = boxIn(title);
    if (box === null) continue;
    if (kind !== 'ocrx_word') lines.push({ words: [], ...typeOf(title, box) });
    else if (text.trim() !== '')
      lines.at(-1)?.words.push({ box, text: plain(text.trim()), confidence: numberIn(title, 'x_wconf') ?? 0 });
  }
  return lines.filter(({ words }) => words.length > 0);
}

function typeOf(title: string, [left, top, width, height]: Box): Omit<ReadLine, 'words'> {
  void left;
  const [, slope, offset] = /baseline (-?[\d.]+) (-?[\d.]+)/.exec(title) ?? [];
  const tilt = Number(slope ?? 0);
  return {
    height: numberIn(title, 'x_size'),
    // Told from the lower left corner of the line.
    baseline: offset === undefined ? null : top + height + Number(offset) + (tilt * width) / 2,
    slope: tilt,
    turned: numberIn(title, 'textangle') ?? 0,
  };
}

const boxIn = (title: string): Box | null => {
  const [, x0, y0, x1, y1] = /bbox (\d+) (\d+) (\d+) (\d+)/.exec(title) ?? [];
  return x0 === undefined ? null : [Number(x0), Number(y0), Number(x1) - Number(x0), Number(y1) - Number(y0)];
};

const numberIn = (title: string, name: string): number | null => {
  const [, value] = new RegExp(`${name} (-?[\\d.]+)`).exec(title) ?? [];
  return value === undefined ? null : Number(value);
};

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const plain = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');

import path from 'node:path';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { IMAGE_PIXELS_MAX } from '@yiqiao/domain/limits';
import type { Bounds } from '../engines/bounded-programs.js';
import { Engines } from '../engines/engines.js';
import { PictureWorkers } from '../engines/picture-workers.js';
import { Frame } from '../engines/pictures/frame.js';
import type { Box, Jobs, Preparation, ReadLine, Word } from '../engines/pictures/jobs.js';
import { asRefusal } from './pictures.js';
import type { PictureReader, Reading, ReadRequest } from './reader.js';
import { isCertain, tidy, turnOf } from './reading.js';

/** Tesseract's names of the product's languages. Each can be read once it is installed. */
const NAMES: Readonly<Record<string, string>> = {
  'zh-Hans': 'chi_sim',
  'zh-Hant': 'chi_tra',
  en: 'eng',
  ja: 'jpn',
  ko: 'kor',
  es: 'spa',
  'pt-BR': 'por',
  'pt-PT': 'por',
  fr: 'fra',
  it: 'ita',
  ca: 'cat',
  de: 'deu',
  ru: 'rus',
  nl: 'nld',
  pl: 'pol',
  sv: 'swe',
  da: 'dan',
  nb: 'nor',
  fi: 'fin',
  cs: 'ces',
  sk: 'slk',
  hu: 'hun',
  ro: 'ron',
  bg: 'bul',
  uk: 'ukr',
  el: 'ell',
  tr: 'tur',
  vi: 'vie',
  id: 'ind',
  ms: 'msa',
  th: 'tha',
  hi: 'hin',
  bn: 'ben',
  ta: 'tam',
  ar: 'ara',
  fa: 'fas',
  he: 'heb',
  gl: 'glg',
  eo: 'epo',
  eu: 'eus',
};

/** The languages of the built-in Tesseract. */
const BUILT_IN: ReadonlySet<string> = new Set(['eng', 'chi_sim']);

/** The langCodes that can be read with these languages of Tesseract. */
export const readable = (installed: ReadonlySet<string>): readonly string[] =>
  Object.entries(NAMES).flatMap(([langCode, name]) => (installed.has(name) ? [langCode] : []));

/** Null for a language without a name in {@link NAMES}. */
const ocrName = (langCode: string): string | null => NAMES[langCode] ?? null;

/** For an unknown language: the two languages of most pictures. */
const UNTOLD: readonly string[] = ['chi_sim', 'eng'];

const TAG =
  /<span class='(ocr_line|ocr_header|ocr_caption|ocr_textfloat|ocrx_word)'[^>]*title=(?:"([^"]*)"|'([^']*)')[^>]*>([^<]*)/g;

/** The lines of Tesseract's hOCR output, in its order. */
export function linesOf(hocr: string): readonly ReadLine[] {
  const lines: (Omit<ReadLine, 'words'> & { words: Word[] })[] = [];
  // Emphasis is ignored.
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
    // Relative to the lower left corner of the line.
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

/** The size at which Tesseract recognises letters best; larger pictures only take longer. */
const [LEAST_SIDE, MOST_SIDE, MOST_SCALE] = [2_200, 2_400, 2.5];
/** In pixels: Tesseract fails on narrower pictures, in which nothing can be read. */
const NARROWEST = 16;
/** Below this coverage there is nothing left to read. */
const NOTHING = 0.0004;

const TESSERACT: Omit<Bounds, 'signal' | 'wallMs'> = {
  cpuSeconds: 40,
  memoryBytes: 512 * 1024 * 1024,
  outputBytes: 8 * 1024 * 1024,
};

type Pass = Preparation & {
  readonly request: ReadRequest;
  readonly languages: readonly string[];
  readonly scale: number;
};

/** The mode of a pass: the picture unchanged or in black and white; as a page or as sparse text. */
type Glance = { readonly contrast: boolean; readonly sparse: boolean; readonly without: readonly Box[] };
const AS_IT_IS: Glance = { contrast: false, sparse: false, without: [] };
const IN_BLACK: Glance = { contrast: true, sparse: false, without: [] };

/** Reads pictures with Tesseract: the system's if it is installed and has the language, else the built-in one. */
@Injectable()
export class OfflineReader implements PictureReader {
  constructor(
    private readonly engines: Engines,
    private readonly workers: PictureWorkers,
  ) {}

  /** The languages that can be read, by Tesseract's names. */
  async languages(): Promise<ReadonlySet<string>> {
    const { tesseract } = await this.engines.present();
    return new Set([...BUILT_IN, ...(tesseract?.languages ?? [])]);
  }

  /** Whether more than the built-in languages is installed. */
  async isComplete(): Promise<boolean> {
    return (await this.engines.present()).tesseract !== null;
  }

  async read(request: ReadRequest): Promise<Reading> {
    const name = request.source === null ? null : ocrName(request.source);
    const languages = name === null ? UNTOLD : [name];
    const flat = passOf(request, languages, 0);
    if (Math.min(flat.width, flat.height) < NARROWEST) return { turn: 0, lines: [] };
    const plain = await this.#recognise(flat, AS_IT_IS);
    const rest = await this.#rest(flat, plain);
    const turn = turnOf([...plain, ...rest]);
    if (turn === 0) return { turn, lines: tidy(unscaled([...plain, ...rest], flat)) };
    // A photograph of something darker or lighter than its surroundings is read in black and white.
    const level = passOf(request, languages, turn);
    const first = await this.#recognise(level, amountOf(plain) >= amountOf(rest) ? AS_IT_IS : IN_BLACK);
    const others = await this.#rest(level, first);
    return { turn, lines: tidy(unscaled([...first, ...others], level)) };
  }

  /** The texts that were not read yet, for example white letters on a button. */
  async #rest(pass: Pass, read: readonly ReadLine[]): Promise<readonly ReadLine[]> {
    const without = read.flatMap(({ words }) => words.map(({ box }) => box));
    return this.#recognise(pass, { contrast: true, sparse: true, without });
  }

  async #recognise(pass: Pass, { sparse, ...how }: Glance): Promise<readonly ReadLine[]> {
    const { picture, signal } = pass.request;
    const at = path.join(path.dirname(picture.path), 'laid.png');
    const { turn, width, height } = pass;
    const ask = { path: picture.path, at, pixelsMax: IMAGE_PIXELS_MAX, turn, width, height, ...how };
    const { coverage } = await this.workers.run('prepare', ask, signal).catch(asRefusal('NOT_AN_IMAGE'));
    if (coverage < NOTHING) return [];
    const { tesseract } = await this.engines.present();
    if (tesseract === null || !pass.languages.every((name) => tesseract.languages.has(name)))
      return this.#withOurs({ path: at, languages: pass.languages, sparse }, signal);
    const args = [at, 'stdout', '-l', pass.languages.join('+'), '--psm', sparse ? '11' : '3', 'hocr'];
    const read = await this.engines.run({ path: tesseract.path, args }, { ...TESSERACT, wallMs: 45_000, signal });
    if (read.kind === 'ok') return linesOf(read.output.toString('utf8')).filter(isCertain);
    throw new Refusal(read.kind === 'stopped' || read.kind === 'timeout' ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_FAILED');
  }

  /** Reads with the built-in Tesseract. */
  async #withOurs(ask: Jobs['read']['ask'], signal: AbortSignal): Promise<readonly ReadLine[]> {
    const lines = await this.workers.run('read', ask, signal).catch(asRefusal('UPSTREAM_FAILED'));
    return lines.filter(isCertain);
  }
}

function passOf(request: ReadRequest, languages: readonly string[], turn: number): Pass {
  const { width, height } = request.picture;
  const { size } = new Frame({ width, height, turn });
  const longer = Math.max(size.width, size.height);
  const scale = longer > MOST_SIDE ? MOST_SIDE / longer : Math.max(1, Math.min(MOST_SCALE, LEAST_SIDE / longer));
  return {
    request,
    languages,
    turn,
    scale,
    width: Math.max(1, Math.round(size.width * scale)),
    height: Math.max(1, Math.round(size.height * scale)),
  };
}

/** In pixels of the picture. */
const unscaled = (lines: readonly ReadLine[], { scale }: Pass): readonly ReadLine[] =>
  lines.map((line) => ({
    ...line,
    words: line.words.map((word) => ({ ...word, box: word.box.map((n) => n / scale) as unknown as Box })),
    height: line.height === null ? null : line.height / scale,
    baseline: line.baseline === null ? null : line.baseline / scale,
  }));

const amountOf = (lines: readonly ReadLine[]): number =>
  lines.reduce((sum, { words }) => sum + words.reduce((length, { text }) => length + text.length, 0), 0);

import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config.js';
import type { Bilingual } from '../channels/channel.js';
import type { Bounds, ProgramOutcome } from './bounded-programs.js';
import { fontsCover } from './font-coverage.js';
import { MediaInstall, type MediaProgram } from './media-install.js';
import { ProgramLauncher } from './program-launcher.js';

/** The installed programs for pictures and recordings; null: not installed. */
export type Present = {
  /** OCR, with its languages by Tesseract's names (`eng`, `chi_sim`). */
  readonly tesseract: { readonly path: string; readonly languages: ReadonlySet<string> } | null;
  /** Decodes recordings and measures their length. */
  readonly ffmpeg: { readonly path: string; readonly probe: string } | null;
  /** Recognises English, with its model's folder. */
  readonly pocketsphinx: { readonly path: string; readonly model: string } | null;
  /** Text to speech. */
  readonly espeak: string | null;
};

/** Messages about missing programs, with the remedy. */
export const MISSING = {
  voice: {
    zh: '语音识别引擎未安装（需要 ffmpeg 与 pocketsphinx，仅支持英语）。安装：sudo apt-get install -y ffmpeg pocketsphinx pocketsphinx-en-us',
    en: 'The speech engine is not installed (ffmpeg and pocketsphinx, English only). Install it: sudo apt-get install -y ffmpeg pocketsphinx pocketsphinx-en-us',
  },
  fonts: {
    zh: '服务器没有该语言的字体，无法绘制译文。安装：sudo apt-get install -y fonts-wqy-zenhei fonts-noto-core',
    en: 'There is no font here to draw this language with. Install some: sudo apt-get install -y fonts-wqy-zenhei fonts-noto-core',
  },
} as const satisfies Record<string, Bilingual>;

/** How long the lookup of installed programs is cached. */
const REMEMBERED_MS = 60_000;
const PROBE: Bounds = { wallMs: 10_000, cpuSeconds: 5, memoryBytes: 256 * 1024 * 1024, outputBytes: 64 * 1024 };

/** Looks up installed engines on demand and caches the result for a minute, so that a new engine works without a restart. */
@Injectable()
export class Engines {
  readonly #install: MediaInstall;
  /** By a sample of the letters, so one entry per language. */
  readonly #drawn = new Map<string, { readonly can: Promise<boolean>; readonly at: number }>();
  #known: { readonly present: Promise<Present>; readonly at: number } | null = null;

  constructor(
    config: Config,
    private readonly programs: ProgramLauncher,
  ) {
    this.#install = new MediaInstall(config.env.MEDIA_DIR);
  }

  get install(): MediaInstall {
    return this.#install;
  }

  /** Never throws. */
  present(): Promise<Present> {
    const now = performance.now();
    if (this.#known && now - this.#known.at < REMEMBERED_MS) return this.#known.present;
    const present = this.#look();
    this.#known = { present, at: now };
    return present;
  }

  /** Whether there are fonts for the letters of `text`; cached like the programs. Never throws. */
  canDraw(text: string): Promise<boolean> {
    const now = performance.now();
    const known = this.#drawn.get(text);
    if (known && now - known.at < REMEMBERED_MS) return known.can;
    const can = fontsCover(text, this.#install.fontFolders).catch(() => false);
    this.#drawn.set(text, { can, at: now });
    return can;
  }

  /** Runs an installed program with its own environment. Never throws. */
  run(
    program: { path: string; args: readonly string[]; input?: Buffer | string },
    bounds: Bounds,
  ): Promise<ProgramOutcome> {
    return this.programs.run({ ...program, env: this.#install.environment }, bounds);
  }

  async #look(): Promise<Present> {
    const find = (program: MediaProgram): Promise<string | null> => this.#install.find(program);
    const [tesseract, ffmpeg, probe, espeak] = await Promise.all([
      this.#tesseract(),
      find('ffmpeg'),
      find('ffprobe'),
      find('espeak-ng'),
    ]);
    const pocketsphinx = (await find('pocketsphinx_continuous')) ?? (await find('pocketsphinx'));
    const models = await this.#install.list('usr/share/pocketsphinx/model/en-us');
    const model = this.#install.path('usr/share/pocketsphinx/model/en-us');
    return {
      tesseract,
      ffmpeg: ffmpeg !== null && probe !== null ? { path: ffmpeg, probe } : null,
      pocketsphinx: pocketsphinx !== null && models.includes('en-us') ? { path: pocketsphinx, model } : null,
      espeak,
    };
  }

  async #tesseract(): Promise<Present['tesseract']> {
    const path = await this.#install.find('tesseract');
    if (path === null) return null;
    const listed = await this.run({ path, args: ['--list-langs'] }, PROBE);
    if (listed.kind !== 'ok') return null;
    const names = listed.output.toString('utf8').split('\n').slice(1);
    const languages = new Set(names.map((name) => name.trim()).filter((name) => /^[a-z]{3}(_[a-z]+)?$/i.test(name)));
    languages.delete('osd');
    return languages.size > 0 ? { path, languages } : null;
  }
}

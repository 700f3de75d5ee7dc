import { readdir } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config.js';
import type { Bilingual } from '../channels/channel.js';
import { type Bounds, BoundedPrograms, type ProgramOutcome } from './bounded-programs.js';
import { MediaInstall, type MediaProgram } from './media-install.js';

/** What this machine has for pictures and recordings: paths of programs, null for what is not installed. */
export type Present = {
  /** Reads pictures, in the languages that it names in its own way (`eng`, `chi_sim`). */
  readonly tesseract: { readonly path: string; readonly languages: ReadonlySet<string> } | null;
  /** Both of them: decodes recordings and says how long they are. */
  readonly ffmpeg: { readonly path: string; readonly probe: string } | null;
  /** Understands English, with its model's folder. */
  readonly pocketsphinx: { readonly path: string; readonly model: string } | null;
  /** Speaks. */
  readonly espeak: string | null;
  /** Whether Chinese, Japanese and Korean can be drawn. */
  readonly hanFonts: boolean;
};

/** What is missing, and what mends it. */
export const MISSING = {
  voice: {
    zh: '语音识别引擎未安装（需要 ffmpeg 与 pocketsphinx，仅支持英语）。安装：sudo apt-get install -y ffmpeg pocketsphinx pocketsphinx-en-us',
    en: 'The speech engine is not installed (ffmpeg and pocketsphinx, English only). Install it: sudo apt-get install -y ffmpeg pocketsphinx pocketsphinx-en-us',
  },
  fonts: {
    zh: '服务器没有中日韩字体，无法绘制译文。安装：sudo apt-get install -y fonts-wqy-zenhei',
    en: 'There is no Chinese, Japanese or Korean font to draw the translation with. Install one: sudo apt-get install -y fonts-wqy-zenhei',
  },
} as const satisfies Record<string, Bilingual>;

/** An installation is looked at this often. */
const REMEMBERED_MS = 60_000;
const PROBE: Bounds = { wallMs: 10_000, cpuSeconds: 5, memoryBytes: 256 * 1024 * 1024, outputBytes: 64 * 1024 };
const HAN_FONTS = /(wqy|cjk|droidsansfallback|sourcehan|simsun|simhei|pingfang|msyh|uming|ukai)/i;

/** What is installed, looked up when it is needed and remembered for a minute: an engine that is added works without a restart. */
@Injectable()
export class Engines {
  readonly #install: MediaInstall;
  #known: { readonly present: Promise<Present>; readonly at: number } | null = null;

  constructor(
    config: Config,
    private readonly programs: BoundedPrograms,
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

  /** One of the installed programs, with its own environment. Never throws. */
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
      hanFonts: await this.#hasHanFonts(),
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

  async #hasHanFonts(): Promise<boolean> {
    for (const folder of this.#install.fontFolders) {
      const names = await readdir(folder, { recursive: true }).catch(() => []);
      if (names.some((name) => HAN_FONTS.test(name))) return true;
    }
    return false;
  }
}

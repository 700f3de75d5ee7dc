import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Engines } from './engines.js';
import { PictureWorker } from './picture-worker.js';
import type { JobName, Jobs } from './pictures/jobs.js';

/** Enough for the largest picture that is taken (25 million pixels), twice. */
const MEMORY_BYTES = 768 * 1024 * 1024;
/** Starting one takes half a second; keeping one takes a hundred megabytes. */
const IDLE_MS = 120_000;

/**
 * The processes that work on pictures: started when they are needed, as many as the media queue lets work at once, and ended when nobody
 * needs them any more.
 */
@Injectable()
export class PictureWorkers implements OnApplicationShutdown {
  readonly #all = new Set<PictureWorker>();
  readonly #idle = new Map<PictureWorker, NodeJS.Timeout>();
  #fonts: Promise<string> | null = null;
  #isClosed = false;

  constructor(private readonly engines: Engines) {}

  /** Throws PictureFailure. */
  async run<N extends JobName>(job: N, ask: Jobs[N]['ask'], signal: AbortSignal): Promise<Jobs[N]['answer']> {
    const worker = this.#take() ?? (await this.#start());
    try {
      return await worker.ask(job, ask, signal);
    } finally {
      this.#giveBack(worker);
    }
  }

  /** What they are at fails. */
  killAll(): void {
    for (const worker of this.#all) this.#end(worker);
  }

  async onApplicationShutdown(): Promise<void> {
    this.#isClosed = true;
    this.killAll();
    const fonts = await this.#fonts?.catch(() => null);
    if (fonts) await rm(fonts, { recursive: true, force: true });
  }

  #take(): PictureWorker | undefined {
    for (const [worker, alarm] of this.#idle) {
      this.#idle.delete(worker);
      clearTimeout(alarm);
      if (!worker.isDead) return worker;
      this.#all.delete(worker);
    }
    return undefined;
  }

  async #start(): Promise<PictureWorker> {
    const fonts = await (this.#fonts ??= fontSettings(this.engines.install.fontFolders));
    const { PATH = '' } = this.engines.install.environment;
    const env = {
      ...{ PATH, LC_ALL: 'C.UTF-8', HOME: homedir(), FONTCONFIG_FILE: path.join(fonts, 'fonts.conf') },
      PICTURES_DIR: fonts,
      // What the library of pictures complains of may quote a file.
      ...{ VIPS_WARNING: '0', MALLOC_ARENA_MAX: '2' },
    };
    const worker = new PictureWorker({ env, memoryBytes: MEMORY_BYTES });
    this.#all.add(worker);
    return worker;
  }

  #giveBack(worker: PictureWorker): void {
    if (worker.isDead || this.#isClosed) return this.#end(worker);
    this.#idle.set(worker, setTimeout(() => this.#end(worker), IDLE_MS).unref());
  }

  #end(worker: PictureWorker): void {
    clearTimeout(this.#idle.get(worker));
    this.#idle.delete(worker);
    this.#all.delete(worker);
    worker.kill();
  }
}

/**
 * A folder for what the processes share, with the settings by which fonts are found: ours and the system's, and a bold for those that have
 * none.
 */
async function fontSettings(folders: readonly string[]): Promise<string> {
  const at = await mkdtemp(path.join(tmpdir(), 'yiqiao-pictures-'));
  const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const xml = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${folders.map((folder) => `  <dir>${escape(folder)}</dir>`).join('\n')}
  <cachedir prefix="xdg">fontconfig</cachedir>
  <match target="font">
    <test name="weight" compare="less_eq"><const>medium</const></test>
    <test target="pattern" name="weight" compare="more_eq"><const>bold</const></test>
    <edit name="embolden" mode="assign"><bool>true</bool></edit>
  </match>
</fontconfig>
`;
  await writeFile(path.join(at, 'fonts.conf'), xml);
  return at;
}

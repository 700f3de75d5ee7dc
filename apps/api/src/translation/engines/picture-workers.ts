import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { type ChildProcess, spawn } from 'node:child_process';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Engines } from './engines.js';
import { ownProgram } from './own-program.js';
import type { JobFault, JobName, JobReply, Jobs } from './pictures/jobs.js';

/** Why a job failed. `died`: it crashed the program or exceeded its memory. `stopped`: its caller has left. */
export class PictureFailure extends Error {
  override readonly name = 'PictureFailure';

  constructor(readonly kind: JobFault | 'died' | 'stopped') {
    super(kind);
  }
}

type Settings = { readonly env: Readonly<Record<string, string>>; readonly memoryBytes: number };

/** The kernel also counts memory that Node reserves without using it. */
const RESERVED_BYTES = 768 * 1024 * 1024;
/** A shell sets the limits and then replaces itself with Node. */
const LIMITED = 'ulimit -c 0; ulimit -d "$1"; shift; exec nice -n 19 "$@"';

const WATCH_MS = 200;
const PAGE_BYTES = 4096;

/** A process for pictures, one job at a time. A job that crashes it fails alone: its owner starts another process. */
class PictureWorker {
  readonly #child: ChildProcess;
  #waiting: ((reply: JobReply | null) => void) | null = null;
  #isDead = false;

  constructor(private readonly settings: Settings) {
    const { env, memoryBytes } = settings;
    const limit = `${Math.ceil((memoryBytes + RESERVED_BYTES) / 1024)}`;
    const node = [process.execPath, '--max-old-space-size=256', ...ownProgram('pictures/program')];
    this.#child = spawn('/bin/sh', ['-c', LIMITED, 'pictures', limit, ...node], {
      env: { ...env },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      // Gets no Ctrl-C: it finishes its job and ends with this process.
      detached: true,
    });
    this.#child.on('message', (reply) => this.#answer(reply as JobReply));
    this.#child.once('error', () => this.#end());
    this.#child.once('exit', () => this.#end());
    this.#rest();
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Throws {@link PictureFailure}. When the caller leaves, the process is killed with the job. */
  async ask<N extends JobName>(job: N, ask: Jobs[N]['ask'], signal: AbortSignal): Promise<Jobs[N]['answer']> {
    if (signal.aborted) throw new PictureFailure('stopped');
    const stop = (): void => this.kill();
    signal.addEventListener('abort', stop);
    const watch = setInterval(() => void this.#watch(), WATCH_MS);
    try {
      const reply = await new Promise<JobReply | null>((resolve) => {
        if (this.#isDead) return resolve(null);
        this.#waiting = resolve;
        this.#child.ref();
        this.#child.channel?.ref();
        this.#child.send({ job, ask }, (error) => error && this.kill());
      });
      if (reply === null) throw new PictureFailure(signal.aborted ? 'stopped' : 'died');
      if ('fault' in reply) throw new PictureFailure(reply.fault);
      return reply.answer as Jobs[N]['answer'];
    } finally {
      clearInterval(watch);
      signal.removeEventListener('abort', stop);
      this.#rest();
    }
  }

  kill(): void {
    this.#child.kill('SIGKILL');
    this.#end();
  }

  /** An idle worker does not keep this process alive. */
  #rest(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }

  #answer(reply: JobReply | null): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.(reply);
  }

  #end(): void {
    this.#isDead = true;
    this.#answer(null);
  }

  /** Checks the memory, where the system reports it, because the kernel's limit does not count everything. */
  async #watch(): Promise<void> {
    const pages = await readFile(`/proc/${this.#child.pid}/statm`, 'utf8').catch(() => '');
    if (Number(pages.split(' ')[1] ?? 0) * PAGE_BYTES > this.settings.memoryBytes) this.kill();
  }
}

/** Twice the memory for the largest accepted picture (25 million pixels). */
const MEMORY_BYTES = 768 * 1024 * 1024;
/** Starting one takes half a second; keeping one takes a hundred megabytes. */
const IDLE_MS = 120_000;

/**
 * The pool of picture processes: started on demand, as many as the media queue's concurrency, and ended when idle.
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

  /** Their current jobs fail. */
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
      PATH,
      LC_ALL: 'C.UTF-8',
      HOME: homedir(),
      FONTCONFIG_FILE: path.join(fonts, 'fonts.conf'),
      PICTURES_DIR: fonts,
      // Warnings of the picture library may quote a file.
      VIPS_WARNING: '0',
      MALLOC_ARENA_MAX: '2',
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
 * A shared folder of the processes with the font settings: our fonts and the system's, and a synthetic bold for those that have none.
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

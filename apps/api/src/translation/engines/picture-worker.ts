import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { ownProgram } from './own-program.js';
import type { JobFault, JobName, JobReply, Jobs } from './pictures/jobs.js';

/** Why a job has no answer. `died`: it brought the program down, or was too much for its memory. `stopped`: nobody waits any longer. */
export class PictureFailure extends Error {
  override readonly name = 'PictureFailure';

  constructor(readonly kind: JobFault | 'died' | 'stopped') {
    super(kind);
  }
}

type Settings = { readonly env: Readonly<Record<string, string>>; readonly memoryBytes: number };

/** What Node reserves and never uses counts for the kernel. */
const RESERVED_BYTES = 768 * 1024 * 1024;
/** The limits are set by a shell that then becomes Node. */
const LIMITED = 'ulimit -c 0; ulimit -d "$1"; shift; exec nice -n 19 "$@"';

const WATCH_MS = 200;
const PAGE_BYTES = 4096;

/** One process that works on pictures, one job at a time. What brings it down fails alone: whoever owns it starts another one. */
export class PictureWorker {
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
      // Ctrl-C is for us: it ends with us, after what it is at.
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

  /** Throws {@link PictureFailure}. A job that nobody waits for any more is ended with the process. */
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

  /** An idle worker keeps nobody from ending. */
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

  /** Beside the kernel's limit, which does not see everything, where the system tells. */
  async #watch(): Promise<void> {
    const pages = await readFile(`/proc/${this.#child.pid}/statm`, 'utf8').catch(() => '');
    if (Number(pages.split(' ')[1] ?? 0) * PAGE_BYTES > this.settings.memoryBytes) this.kill();
  }
}

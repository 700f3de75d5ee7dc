import { ChannelFailure } from '../channel.js';
import type { Stage } from './apertium-install.js';
import { ApertiumPipe } from './apertium-pipe.js';

/** Lines in flight: enough to keep every stage busy, few enough that a crash loses little. */
const WINDOW = 8;
/** After this many pipes in a row that died without an answer the installation counts as broken, and the queue fails. */
const BARREN_LIMIT = 4;

type Job = {
  readonly stream: string;
  /** False once the caller has left; the job is then dropped unsent. */
  readonly wanted: () => boolean;
  readonly resolve: (stream: string) => void;
  readonly reject: (reason: ChannelFailure) => void;
  tries: number;
};

export type QueueOptions = {
  readonly stages: () => Promise<Stage[]>;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Whether one more pipe may be opened. */
  readonly admit: () => boolean;
  /** Called when this queue is idle, so that another one can open a pipe. */
  readonly onIdle: () => void;
};

/**
 * The queue of one mode's pipe. A line that was in the pipe when it died is retried once, alone, so that only the line that kills it again
 * fails.
 */
export class ApertiumQueue {
  private readonly queue: Job[] = [];
  private pipe: ApertiumPipe | null = null;
  private opening = false;
  private alone = false;
  private barren = 0;

  constructor(private readonly options: QueueOptions) {}

  get isOpen(): boolean {
    return this.pipe !== null || this.opening;
  }

  get isIdle(): boolean {
    return this.queue.length === 0 && !this.opening && (this.pipe?.pending ?? 0) === 0;
  }

  get lastUsed(): number {
    return this.pipe?.lastUsed ?? 0;
  }

  get pids(): readonly number[] {
    return this.pipe?.pids ?? [];
  }

  submit(stream: string, wanted: () => boolean): Promise<string> {
    return new Promise((resolve, reject) => {
      this.queue.push({ stream, wanted, resolve, reject, tries: 0 });
      this.pump();
    });
  }

  /** Sends the lines that can be sent. Called after every change. */
  pump(): void {
    while (this.queue[0]?.wanted() === false) this.queue.shift()?.reject(new ChannelFailure('timeout', 'nobody waits'));
    if (this.pipe?.isDead === true) this.pipe = null;
    if (this.pipe !== null) this.feed(this.pipe);
    else if (this.queue.length > 0 && !this.opening && this.options.admit()) void this.open();
    if (this.isIdle) this.options.onIdle();
  }

  stop(): void {
    const { pipe } = this;
    this.pipe = null;
    this.drop(new ChannelFailure('unavailable', 'the engine was stopped'));
    pipe?.kill();
  }

  private async open(): Promise<void> {
    this.opening = true;
    try {
      this.pipe = new ApertiumPipe(await this.options.stages(), this.options.environment);
    } catch (reason) {
      this.drop(new ChannelFailure('unavailable', 'the engine does not start', { cause: reason }));
    } finally {
      this.opening = false;
    }
    // Stopped while it was starting: an unused pipe would keep the process alive.
    if (this.queue.length === 0) this.stop();
    this.pump();
  }

  private feed(pipe: ApertiumPipe): void {
    for (let job = this.queue[0]; job !== undefined; job = this.queue[0]) {
      if (pipe.pending >= WINDOW || (pipe.pending > 0 && (this.alone || job.tries > 0))) return;
      this.queue.shift();
      if (job.wanted()) {
        this.alone = job.tries > 0;
        void this.run(pipe, job);
      } else job.reject(new ChannelFailure('timeout', 'nobody waits'));
    }
  }

  private async run(pipe: ApertiumPipe, job: Job): Promise<void> {
    job.tries += 1;
    try {
      job.resolve(await pipe.send(job.stream, this.options.timeoutMs));
      this.barren = 0;
    } catch (reason) {
      this.bury(pipe);
      const failure = reason instanceof ChannelFailure ? reason : new ChannelFailure('unavailable', String(reason));
      if (job.tries > 1) job.reject(failure);
      else this.queue.unshift(job);
      if (this.barren >= BARREN_LIMIT) this.drop(failure);
    }
    this.pump();
  }

  private bury(pipe: ApertiumPipe): void {
    if (this.pipe !== pipe) return;
    this.pipe = null;
    this.barren = pipe.answered === 0 ? this.barren + 1 : 0;
  }

  private drop(failure: ChannelFailure): void {
    this.barren = 0;
    for (const job of this.queue.splice(0)) job.reject(failure);
  }
}

import { ChannelFailure } from '../channel.js';
import type { Stage } from './apertium-install.js';
import { ApertiumPipe } from './apertium-pipe.js';

/** Lines written ahead of their answers: enough to keep every stage busy, few enough that a crash takes little with it. */
const WINDOW = 8;
/** Pipes in a row that died without one answer: the installation is broken, and whoever waits is told so. */
const BARREN_LIMIT = 4;

type Job = {
  readonly stream: string;
  /** False once nobody waits any more; the job is then dropped unsent. */
  readonly wanted: () => boolean;
  readonly resolve: (stream: string) => void;
  readonly reject: (reason: ChannelFailure) => void;
  tries: number;
};

export type QueueOptions = {
  readonly stages: () => Promise<Stage[]>;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Asks whether one more pipe may be open. */
  readonly admit: () => boolean;
  /** Called when this queue has nothing left to do, so that another one may take its place. */
  readonly onIdle: () => void;
};

/**
 * The queue before one mode's pipe. A line that was in the pipe when it died is tried once more, alone: so only the line that kills it
 * again fails, and not those that happened to travel with it.
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

  /** Moves what can be moved. Called again whenever something has changed. */
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
    // Stopped, or given up, while it was starting: an unwatched pipe would keep the program alive.
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

import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { ChannelFailure, type ChannelFailureKind } from '../channel.js';
import type { Stage } from './apertium-install.js';

/** Far more than the translation of 5,000 code points; more means that the pipe is broken. */
const MAX_ANSWER_BYTES = 1024 * 1024;

type Waiting = {
  readonly mark: string;
  readonly timeoutMs: number;
  readonly resolve: (stream: string) => void;
  readonly reject: (reason: ChannelFailure) => void;
};

/**
 * A mode's processes, kept open and connected by pipes. Answers come in the order of the requests, each terminated by NUL.
 *
 * When a stage dies the others see the end of their input and write bare NULs, which would read as empty translations. So every request ends
 * with a unique mark; an answer without it kills the pipe, and so does the end of any process: a dead pipe never answers.
 */
export class ApertiumPipe {
  private readonly processes: readonly ChildProcess[];
  private readonly waiting: Waiting[] = [];
  private chunks: Buffer[] = [];
  private bytes = 0;
  private sent = 0;
  private watchdog: NodeJS.Timeout | undefined;
  private dead: ChannelFailure | null = null;
  /** The number of answers. When a pipe dies without any, the installation is broken rather than the text bad. */
  answered = 0;
  lastUsed = Date.now();

  constructor(stages: readonly Stage[], environment: Readonly<Record<string, string>>) {
    const processes: ChildProcess[] = [];
    this.processes = processes;
    let before: Readable | null = null;
    try {
      for (const { program, args } of stages) {
        // The kernel connects the stages; the text passes through this process only at both ends.
        const stage: ChildProcess = spawn(program, args, {
          env: environment,
          stdio: [before ?? 'pipe', 'pipe', 'ignore'],
        });
        processes.push(stage);
        before?.destroy();
        before = stage.stdout;
        stage.once('error', (reason) => this.fail('unavailable', `${program} does not run: ${reason.message}`));
        stage.once('exit', (code, signal) => this.fail('unavailable', `${program} ended (${signal ?? code})`));
      }
    } catch (reason) {
      this.kill();
      throw reason;
    }
    processes[0]?.stdin?.on('error', (reason) => this.fail('unavailable', reason.message));
    before?.on('data', (chunk: Buffer) => this.read(chunk));
  }

  get pending(): number {
    return this.waiting.length;
  }

  get isDead(): boolean {
    return this.dead !== null;
  }

  /** The ids of the processes, first stage first. */
  get pids(): number[] {
    return this.processes.flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  /** Sends one encoded line. `timeoutMs` starts when everything before it is answered. Rejects when the pipe dies. */
  send(stream: string, timeoutMs: number): Promise<string> {
    this.lastUsed = Date.now();
    return new Promise((resolve, reject) => {
      if (this.dead !== null) return reject(this.dead);
      this.sent += 1;
      const mark = `[#${this.sent}#]`;
      this.waiting.push({ mark, timeoutMs, resolve, reject });
      if (this.waiting.length === 1) this.watch();
      // ".[]" ends the sentence, so that no rule carries the mark into the text.
      this.processes[0]?.stdin?.write(`${stream}.[]${mark}\0`);
    });
  }

  kill(): void {
    this.fail('unavailable', 'stopped');
  }

  private read(chunk: Buffer): void {
    let rest = chunk;
    for (let nul = rest.indexOf(0); nul >= 0 && this.dead === null; nul = rest.indexOf(0)) {
      this.chunks.push(rest.subarray(0, nul));
      rest = rest.subarray(nul + 1);
      const answer = Buffer.concat(this.chunks).toString('utf8');
      this.chunks = [];
      this.bytes = 0;
      this.answer(answer);
    }
    this.chunks.push(rest);
    this.bytes += rest.length;
    if (this.bytes > MAX_ANSWER_BYTES) this.fail('bad-answer', 'an answer without end');
  }

  private answer(stream: string): void {
    const request = this.waiting[0];
    // The NULs of a dead stage may arrive before its exit event: both must fail alike.
    if (request === undefined || !stream.endsWith(request.mark))
      return this.fail('unavailable', 'an answer out of step');
    this.waiting.shift();
    this.answered += 1;
    this.lastUsed = Date.now();
    this.watch();
    request.resolve(stream.slice(0, -request.mark.length).replace(/\.\[\]$/, ''));
  }

  private watch(): void {
    clearTimeout(this.watchdog);
    const head = this.waiting[0];
    if (head !== undefined)
      this.watchdog = setTimeout(() => this.fail('timeout', `no answer in ${head.timeoutMs} ms`), head.timeoutMs);
  }

  private fail(kind: ChannelFailureKind, message: string): void {
    if (this.dead !== null) return;
    const reason = (this.dead = new ChannelFailure(kind, message));
    clearTimeout(this.watchdog);
    for (const stage of this.processes) stage.kill('SIGKILL');
    for (const { reject } of this.waiting.splice(0)) reject(reason);
  }
}

import { ChannelFailure } from '../channel.js';
import { ApertiumInstall } from './apertium-install.js';
import { ApertiumQueue } from './apertium-queue.js';
import { MODE_NAMES } from './apertium-modes.js';
import { cut, decode, encode, lines, type Piece } from './apertium-text.js';

export type ApertiumOptions = {
  /** '' or '/' for the system's Apertium, else the folder into which its packages were unpacked. */
  readonly folder: string;
  /** Modes kept open at once. One takes 50–150 MB. */
  readonly maxPipes?: number;
  /** How long an unused mode stays open. */
  readonly idleMs?: number;
  /** The time-out of one line from its turn. */
  readonly timeoutMs?: number;
  /** How long the list of installed modes is cached. */
  readonly probeMs?: number;
};

/** Apertium's modes as one engine: manages their processes and preserves line breaks, spaces and protected pieces. */
export class Apertium {
  private readonly install: ApertiumInstall;
  private readonly queues = new Map<string, ApertiumQueue>();
  private readonly options: Required<ApertiumOptions>;
  private readonly reaper: NodeJS.Timeout;
  private probe: { readonly at: number; readonly modes: Promise<ReadonlySet<string>> } | undefined;
  private closed = false;

  constructor(options: ApertiumOptions) {
    this.options = { maxPipes: 5, idleMs: 300_000, timeoutMs: 8000, probeMs: 60_000, ...options };
    this.install = new ApertiumInstall(options.folder);
    this.reaper = setInterval(() => this.reap(), Math.min(30_000, this.options.idleMs)).unref();
  }

  /** The allowed modes that are installed. Cached for `probeMs`, so that new ones appear without a restart. */
  installed(): Promise<ReadonlySet<string>> {
    const now = Date.now();
    if (this.probe === undefined || now - this.probe.at >= this.options.probeMs)
      this.probe = { at: now, modes: this.install.installed(MODE_NAMES) };
    return this.probe.modes;
  }

  /** Translates `text` with one of the {@link installed} modes. Throws {@link ChannelFailure}. Not blank unless `text` is. */
  async translate(mode: string, text: string, signal: AbortSignal): Promise<string> {
    if (this.closed) throw new ChannelFailure('unavailable', 'the engine is closed');
    const pieces = lines(text);
    if (!pieces.some(({ words }) => words)) return text;
    const request = { wanted: true, answered: false };
    const say = async (line: string): Promise<string> => {
      const answer = await this.line(line, (stream) => this.queue(mode).submit(stream, () => request.wanted));
      request.answered ||= answer !== '';
      return answer;
    };
    const deadline = deadlineOf(signal);
    try {
      const translated = await Promise.race([deadline.passed, each(pieces, say)]);
      if (!request.answered) throw new ChannelFailure('bad-answer', `${mode} answered nothing`);
      return translated;
    } finally {
      request.wanted = false;
      deadline.forget();
    }
  }

  /** The ids of a mode's running processes, first stage first. For the operator and the tests. */
  processes(mode: string): readonly number[] {
    return this.queues.get(mode)?.pids ?? [];
  }

  close(): void {
    this.closed = true;
    clearInterval(this.reaper);
    for (const queue of this.queues.values()) queue.stop();
  }

  private async line(line: string, send: (stream: string) => Promise<string>): Promise<string> {
    const { stream, kept } = encode(line);
    const whole = decode(await send(stream), kept);
    if (whole !== null) return whole;
    return each(cut(line), async (words) => decode(await send(encode(words).stream), []) ?? words);
  }

  private queue(mode: string): ApertiumQueue {
    const known = this.queues.get(mode);
    if (known !== undefined) return known;
    const queue = new ApertiumQueue({
      stages: () => this.install.stages(mode),
      environment: this.install.environment,
      timeoutMs: this.options.timeoutMs,
      admit: () => this.admit(),
      onIdle: () => this.wake(),
    });
    this.queues.set(mode, queue);
    return queue;
  }

  // Makes room for one more pipe by closing the least recently used idle one. Without one the queue waits for `wake`.
  private admit(): boolean {
    if (this.closed) return false;
    const open = [...this.queues.values()].filter((queue) => queue.isOpen);
    if (open.length < this.options.maxPipes) return true;
    const idle = open.filter((queue) => queue.isIdle).sort((a, b) => a.lastUsed - b.lastUsed)[0];
    idle?.stop();
    return idle !== undefined;
  }

  private wake(): void {
    const waiting = [...this.queues.values()].find((queue) => !queue.isOpen && !queue.isIdle);
    waiting?.pump();
  }

  private reap(): void {
    for (const queue of this.queues.values())
      if (queue.isIdle && Date.now() - queue.lastUsed >= this.options.idleMs) queue.stop();
  }
}

// A line with an empty result stays untranslated, like unknown words.
const each = async (pieces: readonly Piece[], say: (text: string) => Promise<string>): Promise<string> =>
  (await Promise.all(pieces.map(async ({ text, words }) => (words ? (await say(text)) || text : text)))).join('');

const deadlineOf = (signal: AbortSignal): { passed: Promise<never>; forget: () => void } => {
  let stop = (): void => undefined;
  const passed = new Promise<never>((_, reject) => {
    stop = () => reject(new ChannelFailure('timeout', 'the deadline passed', { cause: signal.reason }));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  return { passed, forget: () => signal.removeEventListener('abort', stop) };
};

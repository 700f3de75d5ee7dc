import { setImmediate as afterOthers } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Live } from '../platform/live.js';
import { serializeError } from '../platform/logger.js';
import type { EventStream } from './event-stream.js';
import { frameOf } from './event-stream.js';
import { inLanguage, type Notice, NoticeBoard } from './notice-board.js';
import { Streams } from './streams.js';
import { NOTICES_TOPIC } from './tell-notices.js';

/** What Redis did not bring is found by looking. */
const EVERY_MS = 30_000;
/** Streams that are written to before everybody else has a turn. */
const SLICE = 500;

type Frames = (stream: EventStream) => Buffer;

/** Tells the streams of this process what has changed on the board: it compares the board with what it told last. */
@Injectable()
export class NoticeFanOut implements OnApplicationShutdown {
  readonly #log = new Logger('NoticeFanOut');
  #told = new Map<number, Notice>();
  #listening: Promise<void> | undefined;
  #looking: Promise<void> | undefined;
  #again = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly board: NoticeBoard,
    private readonly streams: Streams,
    private readonly live: Live,
  ) {}

  /** From the moment that this answers, changes are told. Never throws. */
  begin(): Promise<void> {
    return (this.#listening ??= this.#begin());
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  async #begin(): Promise<void> {
    await this.live.listen(NOTICES_TOPIC, () => void this.#look());
    this.#timer = setInterval(() => void (this.streams.size > 0 && this.#look()), EVERY_MS).unref();
    await this.#look();
  }

  /** One look at a time; whoever asks meanwhile is answered by one more. */
  #look(): Promise<void> {
    if (this.#looking) this.#again = true;
    this.#looking ??= this.#lookUntilQuiet().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #lookUntilQuiet(): Promise<void> {
    do {
      this.#again = false;
      try {
        await this.#compare(await this.board.shownNow());
      } catch (error) {
        this.#log.debug({ msg: 'the board could not be read', error: serializeError(error) });
      }
    } while (this.#again);
  }

  async #compare(shown: readonly Notice[]): Promise<void> {
    const before = this.#told;
    this.#told = new Map(shown.map((notice) => [notice.id, notice]));
    for (const id of before.keys()) {
      const removed = frameOf('notice-removed', { id });
      if (!this.#told.has(id)) await this.#tell(() => removed);
    }
    // The newest comes last, as the news that it is.
    for (const notice of shown.toReversed()) {
      if (before.get(notice.id)?.changedAt === notice.changedAt) continue;
      const frames = {
        zh: frameOf('notice', inLanguage(notice, 'zh')),
        en: frameOf('notice', inLanguage(notice, 'en')),
      };
      await this.#tell(({ reader }) => frames[reader.language]);
    }
  }

  async #tell(frame: Frames): Promise<void> {
    const streams = this.streams.all();
    for (let at = 0; at < streams.length; at += SLICE) {
      for (const stream of streams.slice(at, at + SLICE)) stream.send(frame(stream));
      await afterOthers();
    }
  }
}

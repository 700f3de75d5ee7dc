import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Live } from '../platform/live.js';
import { serializeError } from '../platform/logger.js';
import { type EventStream, frameOf } from './event-stream.js';
import { inLanguage, type ActiveNotice, ActiveNotices } from './active-notices.js';
import { Streams } from './streams.js';
import { NOTICES_TOPIC } from './publish-notices.js';

/** Polls for changes whose message Redis lost. */
const POLL_MS = 30_000;
/** Streams written to before yielding to the event loop. */
const SLICE = 500;

type Frames = (stream: EventStream) => Buffer;

/** Sends changes of the active notices to the streams of this process, by comparing them with those sent last. */
@Injectable()
export class NoticeFanOut implements OnApplicationShutdown {
  readonly #log = new Logger('NoticeFanOut');
  #published = new Map<number, ActiveNotice>();
  #listening: Promise<void> | undefined;
  #checking: Promise<void> | undefined;
  #again = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly notices: ActiveNotices,
    private readonly streams: Streams,
    private readonly live: Live,
  ) {}

  /** Changes after this resolves are sent. Never throws. */
  begin(): Promise<void> {
    return (this.#listening ??= this.#begin());
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  async #begin(): Promise<void> {
    await this.live.listen(NOTICES_TOPIC, () => void this.#check());
    this.#timer = setInterval(() => void (this.streams.size > 0 && this.#check()), POLL_MS).unref();
    await this.#check();
  }

  /** One check at a time; a request in the meantime causes one more. */
  #check(): Promise<void> {
    if (this.#checking) this.#again = true;
    this.#checking ??= this.#checkUntilSettled().finally(() => (this.#checking = undefined));
    return this.#checking;
  }

  async #checkUntilSettled(): Promise<void> {
    do {
      this.#again = false;
      try {
        await this.#compare(await this.notices.refresh());
      } catch (error) {
        this.#log.debug({ msg: 'the notices could not be read', error: serializeError(error) });
      }
    } while (this.#again);
  }

  async #compare(shown: readonly ActiveNotice[]): Promise<void> {
    const before = this.#published;
    this.#published = new Map(shown.map((notice) => [notice.id, notice]));
    for (const id of before.keys()) {
      const removed = frameOf('notice-removed', { id });
      if (!this.#published.has(id)) await this.#broadcast(() => removed);
    }
    // Oldest first, so that the newest arrives last.
    for (const notice of shown.toReversed()) {
      if (before.get(notice.id)?.changedAt === notice.changedAt) continue;
      const frames = {
        zh: frameOf('notice', inLanguage(notice, 'zh')),
        en: frameOf('notice', inLanguage(notice, 'en')),
      };
      await this.#broadcast(({ reader }) => frames[reader.language]);
    }
  }

  async #broadcast(frame: Frames): Promise<void> {
    const streams = this.streams.all();
    for (let at = 0; at < streams.length; at += SLICE) {
      for (const stream of streams.slice(at, at + SLICE)) stream.send(frame(stream));
      await yieldToOthers();
    }
  }
}

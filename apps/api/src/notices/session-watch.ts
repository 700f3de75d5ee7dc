import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { plainly } from '../platform/logger.js';
import { Sessions } from '../sessions/sessions.js';
import { Streams } from './streams.js';

const EVERY_MS = 2_000;

/** Ends the streams of sessions that have ended (decisions §2), wherever and however that happened. */
@Injectable()
export class SessionWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #log = new Logger('SessionWatch');
  #timer: NodeJS.Timeout | undefined;
  #looking = false;

  constructor(
    private readonly streams: Streams,
    private readonly sessions: Sessions,
  ) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => void this.#look(), EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  /** A look that takes longer than until the next one is not overtaken. While the database is away nobody is sent away. */
  async #look(): Promise<void> {
    if (this.#looking || this.streams.size === 0) return;
    this.#looking = true;
    try {
      const signed = this.streams
        .all()
        .flatMap(({ reader }) => (reader.caller ? [{ ...reader, ...reader.caller }] : []));
      const live = await this.sessions.liveAmong(new Set(signed.map(({ sessionDigest }) => sessionDigest)));
      for (const { key, sessionDigest } of signed) if (!live.has(sessionDigest)) this.streams.end(key);
    } catch (error) {
      this.#log.debug({ msg: 'the sessions of the streams could not be read', error: plainly(error) });
    } finally {
      this.#looking = false;
    }
  }
}

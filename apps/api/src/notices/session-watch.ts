import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { serializeError } from '../platform/logger.js';
import { Sessions } from '../sessions/sessions.js';
import { Streams } from './streams.js';

const EVERY_MS = 800;
/** It may be said before the transaction that ends the sessions has committed. */
const AFTER_MS = [0, 100, 300, 700];

/**
 * Ends the streams of sessions that have ended, within a second (decisions §2): it is told by whoever ends them, and looks by itself, too,
 * for what time has ended and what nobody could tell.
 */
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

  /** Sessions of these members have ended, or are about to. */
  lookAt(userIds: readonly number[]): void {
    const concerned = new Set(userIds);
    for (const ms of AFTER_MS) setTimeout(() => void this.#endAmong(concerned), ms).unref();
  }

  /** A look that takes longer than until the next one is not overtaken. */
  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    await this.#endAmong(null);
    this.#looking = false;
  }

  /** Of the streams of these members, or of all. While the database is away nobody is sent away. */
  async #endAmong(userIds: ReadonlySet<number> | null): Promise<void> {
    const signed = this.streams.all().flatMap(({ reader }) => {
      const { caller, key } = reader;
      return caller && (userIds?.has(caller.userId) ?? true) ? [{ key, sessionDigest: caller.sessionDigest }] : [];
    });
    if (signed.length === 0) return;
    try {
      const live = await this.sessions.liveAmong(new Set(signed.map(({ sessionDigest }) => sessionDigest)));
      for (const { key, sessionDigest } of signed) if (!live.has(sessionDigest)) this.streams.end(key);
    } catch (error) {
      this.#log.debug({ msg: 'the sessions of the streams could not be read', error: serializeError(error) });
    }
  }
}

import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { serializeError } from '../platform/logger.js';
import { Sessions } from '../sessions/sessions.js';
import { Streams } from './streams.js';

const CHECK_MS = 800;
/** The message may arrive before the transaction that ends the sessions commits. */
const RECHECKS_MS = [0, 100, 300, 700];

/**
 * Ends the streams of ended sessions within a second (decisions §2): on a message from the process that ended them, and by polling, for
 * expired sessions and lost messages.
 */
@Injectable()
export class SessionWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #log = new Logger('SessionWatch');
  #timer: NodeJS.Timeout | undefined;
  #checking = false;

  constructor(
    private readonly streams: Streams,
    private readonly sessions: Sessions,
  ) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => void this.#check(), CHECK_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  /** Checks these members, whose sessions have ended or are about to. */
  checkUsers(userIds: readonly number[]): void {
    const members = new Set(userIds);
    for (const ms of RECHECKS_MS) setTimeout(() => void this.#endAmong(members), ms).unref();
  }

  /** Skipped while the previous check is still running. */
  async #check(): Promise<void> {
    if (this.#checking) return;
    this.#checking = true;
    await this.#endAmong(null);
    this.#checking = false;
  }

  /** Among the streams of these members, or of all. Without the database no stream is ended. */
  async #endAmong(userIds: ReadonlySet<number> | null): Promise<void> {
    const signedIn = this.streams.all().flatMap(({ reader }) => {
      const { caller, key } = reader;
      return caller && (userIds?.has(caller.userId) ?? true) ? [{ key, sessionDigest: caller.sessionDigest }] : [];
    });
    if (signedIn.length === 0) return;
    try {
      const live = await this.sessions.liveAmong(new Set(signedIn.map(({ sessionDigest }) => sessionDigest)));
      for (const { key, sessionDigest } of signedIn) if (!live.has(sessionDigest)) this.streams.end(key);
    } catch (error) {
      this.#log.debug({ msg: 'the sessions of the streams could not be read', error: serializeError(error) });
    }
  }
}

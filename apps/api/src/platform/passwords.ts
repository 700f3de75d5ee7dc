import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { externalCall } from './admission.js';
import { FairLimiter } from './fair-limiter.js';

// The OWASP minimum for argon2id; about 12 ms and 19 MiB each on one core.
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

/**
 * Password hashing. Each hash takes 19 MiB and a core, so few run at once and one core stays free. Accounts take turns: a flood of log-ins
 * of one account delays the others by a single hash (docs/decisions/0038).
 */
@Injectable()
export class Passwords {
  readonly #limiter = new FairLimiter({
    width: Math.min(4, Math.max(1, availableParallelism() - 1)),
    perKey: 48,
    total: 128,
    waitMs: 2_000,
  });

  /** Taken as sent: never trimmed, never normalised (decisions §3). */
  hash(password: string): Promise<string> {
    return this.#inTurn('', () => hash(password, ARGON2ID));
  }

  matches(password: string, passwordHash: string): Promise<boolean> {
    // The hash is salted, so it identifies the account.
    return this.#inTurn(passwordHash, () => verify(passwordHash, password));
  }

  /** Not counted by admission control: the limiter bounds the queue, so a flood of log-ins does not lower the limit of other requests. */
  #inTurn<T>(key: string, task: () => Promise<T>): Promise<T> {
    return externalCall(() => this.#limiter.run(key, task));
  }
}

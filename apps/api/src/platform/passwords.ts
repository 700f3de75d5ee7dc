import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { outside } from './admission.js';
import { FairGate } from './fair-gate.js';

// The OWASP minimum for argon2id; about 12 ms and 19 MiB each on one core.
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

/**
 * Password hashes. Every one costs 19 MiB and a core for its time, so few are made at once and one core is left to everything else.
 * Accounts take turns: a flood of log-ins of one account delays those of others by a single hash (docs/decisions/0038).
 */
@Injectable()
export class Passwords {
  readonly #gate = new FairGate({
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
    // Salted, so a hash names its account.
    return this.#inTurn(passwordHash, () => verify(passwordHash, password));
  }

  /** The gate bounds who waits here, so a flood of sign-ins does not lower the limit of everything else. */
  #inTurn<T>(key: string, task: () => Promise<T>): Promise<T> {
    return outside(() => this.#gate.run(key, task));
  }
}

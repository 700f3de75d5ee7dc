import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { BoundedGate } from './bounded-gate.js';

// The OWASP minimum for argon2id; about 12 ms and 19 MiB each on one core.
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

/** Password hashes. Every one costs 19 MiB, so only so many are made at once; beyond: SERVICE_BUSY. */
@Injectable()
export class Passwords {
  readonly #gate = new BoundedGate({ width: 2 * availableParallelism(), queue: 64 });

  /** Taken as sent: never trimmed, never normalised (decisions §3). */
  hash(password: string): Promise<string> {
    return this.#gate.run(() => hash(password, ARGON2ID));
  }

  matches(password: string, passwordHash: string): Promise<boolean> {
    return this.#gate.run(() => verify(passwordHash, password));
  }
}

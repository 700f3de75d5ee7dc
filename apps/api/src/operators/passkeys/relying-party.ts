import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { MINUTE_MS } from '@yiqiao/domain/limits';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { Vault } from '../../platform/vault.js';

/** Loaded on demand: hundreds of modules, of which the worker and the command line need none. */
export const webAuthn = () => import('@simplewebauthn/server');

/** A challenge is answered within this time. */
export const CHALLENGE_MS = 5 * MINUTE_MS;
const CHALLENGE_BYTES = 32;

/** What the cookie between challenge and answer holds, sealed. `adding`: whose passkey it will be, and its name; null to sign in. */
export type Challenge = {
  readonly bytes: string;
  readonly madeAt: number;
  readonly adding: { readonly operatorId: number; readonly name: string } | null;
};

/** This console as WebAuthn knows it, and its challenges. Passkeys are bound to its host name, so another site cannot ask for them. */
@Injectable()
export class RelyingParty {
  readonly name = 'Yiqiao operators';
  readonly id: string;
  readonly origin: string;

  constructor(
    config: Config,
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {
    const { hostname, origin } = new URL(config.operatorUrl);
    this.id = hostname;
    this.origin = origin;
  }

  challenge(adding: Challenge['adding']): { bytes: Uint8Array<ArrayBuffer>; sealed: string } {
    const bytes = Uint8Array.from(randomBytes(CHALLENGE_BYTES));
    const challenge: Challenge = {
      bytes: Buffer.from(bytes).toString('base64url'),
      madeAt: this.clock.now().getTime(),
      adding,
    };
    return { bytes, sealed: this.vault.seal(JSON.stringify(challenge)) };
  }

  /** Null for a challenge that is too old, altered, or not ours. */
  open(sealed: string): Challenge | null {
    try {
      const challenge = JSON.parse(this.vault.open(sealed)) as Partial<Challenge>;
      const { bytes, madeAt, adding } = challenge;
      if (typeof bytes !== 'string' || typeof madeAt !== 'number' || adding === undefined) return null;
      return madeAt + CHALLENGE_MS > this.clock.now().getTime() ? { bytes, madeAt, adding } : null;
    } catch {
      return null;
    }
  }

  /** What a verification expects of an answer to `challenge`. */
  expecting({ bytes }: Challenge) {
    return {
      expectedChallenge: bytes,
      expectedOrigin: this.origin,
      expectedRPID: this.id,
      requireUserVerification: true,
    };
  }
}

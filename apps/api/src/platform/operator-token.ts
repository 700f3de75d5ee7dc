import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from './clock.js';
import { Vault } from './vault.js';

const LIFE_MS = 3600_000;
const PURPOSE = 'operator-token';

/** Tokens that let an operator write over HTTP for an hour; made with APP_SECRET (`npm run operator -- token`). */
@Injectable()
export class OperatorTokens {
  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  /** `name` is on the list of managers; changes made with the token are recorded under it. */
  issue(name: string): { token: string; until: Date } {
    const until = new Date(this.clock.now().getTime() + LIFE_MS);
    const payload = `${Buffer.from(name, 'utf8').toString('base64url')}.${until.getTime()}`;
    return { token: `${payload}.${this.vault.hmac(PURPOSE, payload)}`, until };
  }

  /** The name in the bearer token of an `Authorization` header; null unless the token is valid and not expired. */
  bearer(authorization: string | undefined): string | null {
    const [, name = '', until = '', proof = ''] = BEARER.exec(authorization ?? '') ?? [];
    if (name === '') return null;
    const expected = this.vault.hmac(PURPOSE, `${name}.${until}`);
    if (!timingSafeEqual(Buffer.from(proof), Buffer.from(expected))) return null;
    return this.clock.now().getTime() < Number(until) ? Buffer.from(name, 'base64url').toString('utf8') : null;
  }
}

const BEARER = /^Bearer ([A-Za-z0-9_-]{1,512})\.(\d{13})\.([0-9a-f]{64})$/;

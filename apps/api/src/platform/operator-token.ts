import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from './clock.js';
import { Vault } from './vault.js';

const LIFE_MS = 3600_000;
const PURPOSE = 'operator-token';

/** Tokens that let an operator write over HTTP for an hour; who holds APP_SECRET makes them (`npm run operator -- token`). */
@Injectable()
export class OperatorTokens {
  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  /** `name` is on the list of managers; whatever is done with the token is recorded in it. */
  issue(name: string): { token: string; until: Date } {
    const until = new Date(this.clock.now().getTime() + LIFE_MS);
    const said = `${Buffer.from(name, 'utf8').toString('base64url')}.${until.getTime()}`;
    return { token: `${said}.${this.vault.hmac(PURPOSE, said)}`, until };
  }

  /** Whose token an `Authorization` header bears; null for anything but a right one that is still good. */
  bearer(authorization: string | undefined): string | null {
    const [, name = '', until = '', proof = ''] = BEARER.exec(authorization ?? '') ?? [];
    if (name === '') return null;
    const expected = this.vault.hmac(PURPOSE, `${name}.${until}`);
    if (!timingSafeEqual(Buffer.from(proof), Buffer.from(expected))) return null;
    return this.clock.now().getTime() < Number(until) ? Buffer.from(name, 'base64url').toString('utf8') : null;
  }
}

const BEARER = /^Bearer ([A-Za-z0-9_-]{1,512})\.(\d{13})\.([0-9a-f]{64})$/;

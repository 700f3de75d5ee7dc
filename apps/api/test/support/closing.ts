import { generateKeyPairSync } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { EntityManager } from '@mikro-orm/postgresql';
import { DAY_MS } from '@yiqiao/domain/limits';
import { CloseKeys } from '../../src/ledger/closes/close-keys.js';
import { CloseLedger, CloseLedgerHandler } from '../../src/ledger/closes/close-ledger.js';
import { TrialBalance } from '../../src/ledger/trial-balance/trial-balance.js';
import { Clock } from '../../src/platform/clock.js';
import { Config } from '../../src/platform/config.js';
import { Vault } from '../../src/platform/vault.js';

/** A private key that signs closes, as PEM. */
export const newSigningKey = (): string =>
  generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;

/** A clock some minutes after a midnight, `days` from today's. */
class ShiftedClock extends Clock {
  constructor(
    config: Config,
    private readonly days: number,
  ) {
    super(config);
  }
  override now(): Date {
    const midnight = this.fromWire(`${this.day(new Date())} 00:00:00`).getTime();
    return new Date(midnight + this.days * DAY_MS + 6 * 60_000);
  }
}

/** Closes what is over `days` from today, negative for before, in the role of `app`. Returns the dates. */
export function closeDay(app: INestApplicationContext, days: number): Promise<string[] | null> {
  const strict = { strict: false };
  return new CloseLedgerHandler(
    app.get(EntityManager).fork(),
    new ShiftedClock(app.get(Config), days),
    app.get(Vault),
    app.get(CloseKeys, strict),
    app.get(TrialBalance, strict),
  ).execute(new CloseLedger({ actor: 'system' }));
}

import { randomInt } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Language } from '@yiqiao/contracts/envelope';
import { Refusal } from '@yiqiao/domain/errors';
import { VCODE_DIGITS, VCODE_MINUTES, VCODE_PER_HOUR, VCODE_TRIES, VCODE_TRIES_OF_ALL } from '@yiqiao/domain/limits';
import { mailboxKeyOf } from '../members/members.js';
import { Clock } from '../platform/clock.js';
import { Config } from '../platform/config.js';
import { lockKey } from '../platform/database.js';
import { networkOf } from '../platform/rate-limits.js';
import { Vault } from '../platform/vault.js';
import type { VerificationMail } from './mail-messages.js';
import { type Purpose, VerificationCode } from './verification-code.entity.js';

const HOUR_MS = 3600_000;

// Only the newest code of a mailbox and purpose is live. One statement counts the try and reads the code, so that a hundred simultaneous
// guesses still compare at most five times. Tries are also counted per address, so that a stranger cannot use up the owner's tries.
// Raw: increments a counter inside jsonb under a condition, and returns the row.
const COUNT_TRY = `
UPDATE verification_code
SET tries = tries + 1, tries_from = jsonb_set(tries_from, ARRAY[?], to_jsonb(COALESCE((tries_from->>?)::int, 0) + 1))
WHERE id = (SELECT id FROM verification_code WHERE mailbox_key = ? AND purpose = ? ORDER BY id DESC LIMIT 1)
  AND used_at IS NULL AND COALESCE((tries_from->>?)::int, 0) < ? AND tries < ? AND expires_at > ?
RETURNING id, code_hmac`;

/** One try of a code. */
export type CodeTry = { email: string; purpose: Purpose; code: string; ip: string };

/** Mailed six-digit codes: 10 minutes, 5 tries, used once, only for their purpose (decisions §3). */
@Injectable()
export class VerificationCodes {
  constructor(
    private readonly em: EntityManager,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Creates a code for the mailbox in the caller's transaction and returns its id; its mail is stored encrypted until it is sent. Allows one
   * per minute (configurable) and 10 per hour for a mailbox, whatever the purpose; else throws VCODE_TOO_SOON with the seconds to wait.
   */
  async issue(em: EntityManager, mail: { to: string; purpose: Purpose; language: Language }): Promise<number> {
    const mailbox = this.#keyOf(mail.to);
    await this.#requirePause(em, mailbox);
    const code = String(randomInt(10 ** VCODE_DIGITS)).padStart(VCODE_DIGITS, '0');
    const message: VerificationMail = { ...mail, code };
    const now = this.clock.now();
    return em.insert(VerificationCode, {
      mailboxKey: mailbox,
      purpose: mail.purpose,
      codeHmac: this.#hmacOf(mailbox, code),
      sealedLetter: this.vault.seal(JSON.stringify(message)),
      createdAt: now,
      expiresAt: new Date(now.getTime() + VCODE_MINUTES * 60_000),
    });
  }

  /**
   * Counts a try and returns the id of the matching code. Throws VCODE_WRONG, or VCODE_EXPIRED for a dead code; for a reset only when the
   * code itself is right, because nobody else may learn that there was one.
   */
  async check({ email, purpose, code, ip }: CodeTry): Promise<number> {
    const mailbox = this.#keyOf(email);
    const from = this.vault.hmac('verification-try', `${mailbox}:${networkOf(ip)}`).slice(0, 16);
    const given = this.#hmacOf(mailbox, code);
    const em = this.em.fork();
    const [row] = await em.execute<{ id: number; code_hmac: string }[]>(COUNT_TRY, [
      from,
      from,
      mailbox,
      purpose,
      from,
      VCODE_TRIES,
      VCODE_TRIES_OF_ALL,
      this.clock.now(),
    ]);
    if (row?.code_hmac === given) return Number(row.id);
    if (row) throw new Refusal('VCODE_WRONG');
    const newest = { orderBy: { id: 'desc' } } as const;
    const dead = await em.findOne(VerificationCode, { mailboxKey: mailbox, purpose }, newest);
    const isExpired = purpose === 'register' ? dead !== null : dead?.codeHmac === given;
    throw new Refusal(isExpired ? 'VCODE_EXPIRED' : 'VCODE_WRONG');
  }

  /** Consumes a checked code in the transaction that it authorises: of two requests with the same code only one succeeds. */
  async consume(em: EntityManager, codeId: number): Promise<void> {
    const now = this.clock.now();
    const used = await em.nativeUpdate(
      VerificationCode,
      { id: codeId, usedAt: null, expiresAt: { $gt: now } },
      { usedAt: now, sealedLetter: null },
    );
    if (used === 0) throw new Refusal('VCODE_EXPIRED');
  }

  async #requirePause(em: EntityManager, mailbox: string): Promise<void> {
    await lockKey(em, `vcode:${mailbox}`);
    const now = this.clock.now().getTime();
    const recent = await em.find(
      VerificationCode,
      { mailboxKey: mailbox, createdAt: { $gt: new Date(now - HOUR_MS) } },
      { orderBy: { id: 'desc' }, limit: VCODE_PER_HOUR, disableIdentityMap: true },
    );
    const [newest, tenth] = [recent[0], recent[VCODE_PER_HOUR - 1]];
    const waits = [
      newest ? newest.createdAt.getTime() + this.config.env.LIMIT_CODE_PAUSE_SECONDS * 1000 - now : 0,
      tenth ? tenth.createdAt.getTime() + HOUR_MS - now : 0,
    ];
    const wait = Math.max(...waits);
    if (wait > 0) throw new Refusal('VCODE_TOO_SOON', { retryAfterSeconds: Math.ceil(wait / 1000) });
  }

  /** A keyed digest: the table does not reveal the mailbox. */
  #keyOf(email: string): string {
    return mailboxKeyOf(this.vault, email);
  }

  #hmacOf(mailbox: string, code: string): string {
    return this.vault.hmac('verification-code', `${mailbox}:${code}`);
  }
}

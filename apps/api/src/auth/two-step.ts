import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { MINUTE_MS, RECOVERY_CODES, TWO_STEP_CHALLENGE_MINUTES, TWO_STEP_ENROL_MINUTES } from '@yiqiao/domain/limits';
import { CLIENT_TYPES, type ClientType } from '@yiqiao/domain/members';
import { type Member, Members } from '../members/members.js';
import { Clock } from '../platform/clock.js';
import { RateLimits } from '../platform/rate-limits.js';
import {
  groupedRecoveryCode,
  newRecoveryCode,
  newTotpSecret,
  plainRecoveryCode,
  totpStep,
  totpUri,
} from '../platform/totp.js';
import { Vault } from '../platform/vault.js';
import { type TwoStepEvent, twoStepMail } from './mail-messages.js';
import { TwoStepRow } from './two-step.entity.js';

const ISSUER = 'Yiqiao';

/** A sign-in whose password was right: who, with which password, from which client, and until when the code may follow. */
type Challenge = { userId: number; password: string; clientType: ClientType; until: number };

/** The second step of signing in: codes of an authenticator app, and recovery codes (docs/decisions/0050). */
@Injectable()
export class TwoStep {
  constructor(
    private readonly members: Members,
    private readonly limits: RateLimits,
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  /** The row of a member that has two-step sign-in on; null without. */
  find(em: EntityManager, userId: number): Promise<TwoStepRow | null> {
    return em.findOne(TwoStepRow, { userId, confirmedAt: { $ne: null } });
  }

  /** Asks for the code: the refusal of a sign-in whose password is right. */
  challenge(member: Member, clientType: ClientType): Refusal {
    const until = this.clock.now().getTime() + TWO_STEP_CHALLENGE_MINUTES * MINUTE_MS;
    const challenge: Challenge = { userId: member.id, password: this.#digestOf(member), clientType, until };
    return new Refusal('SIGN_IN_CODE_REQUIRED', {
      data: { challenge: this.vault.seal(JSON.stringify(challenge)), seconds: TWO_STEP_CHALLENGE_MINUTES * 60 },
    });
  }

  /** Throws CHALLENGE_EXPIRED for one that is too old, altered, or not of ours. */
  readChallenge(sealed: string): Challenge {
    const challenge = this.#openChallenge(sealed);
    if (!challenge || challenge.until <= this.clock.now().getTime()) throw new Refusal('CHALLENGE_EXPIRED');
    return challenge;
  }

  /** False once the password has changed. */
  isFor(challenge: Challenge, member: Member): boolean {
    return challenge.userId === member.id && challenge.password === this.#digestOf(member);
  }

  /** Begins an enrolment in place of an unfinished one. The caller's transaction holds the member's lock. */
  async enrol(em: EntityManager, member: Member, account: string): Promise<{ secret: string; uri: string }> {
    if (await this.find(em, member.id)) throw new Refusal('TWO_STEP_ON');
    const secret = newTotpSecret();
    await em.nativeDelete(TwoStepRow, { userId: member.id });
    await em.insert(TwoStepRow, {
      userId: member.id,
      familyId: member.familyId,
      sealedSecret: this.vault.seal(secret),
      createdAt: this.clock.now(),
    });
    return { secret, uri: totpUri(secret, { issuer: ISSUER, label: account }) };
  }

  /** Switches it on with a first code; returns the recovery codes. The caller's transaction holds the member's lock. */
  async confirm(em: EntityManager, member: Member, code: string): Promise<string[]> {
    const oldest = new Date(this.clock.now().getTime() - TWO_STEP_ENROL_MINUTES * MINUTE_MS);
    const row = await em.findOne(TwoStepRow, { userId: member.id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (row?.confirmedAt) throw new Refusal('TWO_STEP_ON');
    if (!row || row.createdAt <= oldest) throw new Refusal('ENROLMENT_EXPIRED');
    await this.#guess(member, null, () => this.#useCode(row, code));
    row.confirmedAt = this.clock.now();
    const codes = this.#renewRecoveryCodes(row);
    await em.flush();
    await this.#tell(em, member, { what: 'on' });
    return codes;
  }

  /**
   * Accepts a code of the app or a recovery code, once. Throws SIGN_IN_CODE_WRONG, SIGN_IN_CODE_USED, LOGIN_LOCKED after too many wrong
   * ones, TWO_STEP_OFF. The caller's transaction holds the member's lock, so that two requests cannot use the same code.
   */
  async verify(em: EntityManager, member: Member, code: string, ip: string | null = null): Promise<TwoStepRow> {
    const row = await this.find(em, member.id);
    if (!row) throw new Refusal('TWO_STEP_OFF');
    const before = row.recoveryDigests.length;
    await this.#guess(member, ip, () => this.#useCode(row, code) || this.#useRecoveryCode(row, code));
    await em.flush();
    const left = row.recoveryDigests.length;
    if (left < before) await this.#tell(em, member, { what: 'recovery', left });
    return row;
  }

  /** New recovery codes in place of the old ones, after `verify`. */
  async renewRecoveryCodes(em: EntityManager, row: TwoStepRow): Promise<string[]> {
    const codes = this.#renewRecoveryCodes(row);
    await em.flush();
    return codes;
  }

  /** Switches it off, `by` the member or our support, and forgets the wrong codes. */
  async switchOff(em: EntityManager, member: Pick<Member, 'id'>, by: 'member' | 'support'): Promise<void> {
    await em.nativeDelete(TwoStepRow, { userId: member.id });
    await this.limits.forget('signInCodesPerAccount', accountKey(member));
    await this.#tell(em, member, { what: by === 'member' ? 'off' : 'reset' });
  }

  #tell(em: EntityManager, { id }: Pick<Member, 'id'>, event: TwoStepEvent): Promise<void> {
    const at = this.clock.toWire(this.clock.now());
    return this.members.sendMail(em, id, (language) => twoStepMail(language, event, at));
  }

  /**
   * Limited per account: who guesses here knows the password, so it keeps out no stranger's victim. Counted for the current password, so
   * the owner starts afresh after changing it (docs/decisions/0041); and, far higher, regardless of the password, because whoever holds the
   * mailbox can reset it again and again.
   */
  async #guess(member: Member, ip: string | null, isRight: () => boolean): Promise<void> {
    const account = accountKey(member);
    const key = `sign-in-code:${member.id}:${this.#digestOf(member)}`;
    await this.limits.check('signInCodesPerAccount', account);
    await this.limits.check('signInCodes', key);
    await this.limits.check('loginFailures', key);
    if (!isRight()) {
      await this.limits.count('signInCodesPerAccount', account);
      await this.limits.count('signInCodes', key);
      if (ip !== null) await this.limits.take('loginFailuresPerIp', ip);
      await this.limits.take('loginFailures', key);
      throw new Refusal('SIGN_IN_CODE_WRONG');
    }
    await this.limits.forget('loginFailures', key);
    await this.limits.forget('signInCodesPerAccount', account);
  }

  #useCode(row: TwoStepRow, code: string): boolean {
    const step = totpStep(this.vault.open(row.sealedSecret), code, this.clock.now().getTime());
    if (step === null) return false;
    if (row.lastStep !== null && step <= row.lastStep) throw new Refusal('SIGN_IN_CODE_USED');
    row.lastStep = step;
    return true;
  }

  #useRecoveryCode(row: TwoStepRow, code: string): boolean {
    const digest = this.#recoveryDigest(row.userId, plainRecoveryCode(code));
    if (!row.recoveryDigests.includes(digest)) return false;
    row.recoveryDigests = row.recoveryDigests.filter((each) => each !== digest);
    return true;
  }

  #renewRecoveryCodes(row: TwoStepRow): string[] {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    row.recoveryDigests = codes.map((code) => this.#recoveryDigest(row.userId, code));
    return codes.map(groupedRecoveryCode);
  }

  #recoveryDigest(userId: number, code: string): string {
    return this.vault.hmac('recovery-code', `${userId}:${code}`);
  }

  #digestOf({ id, passwordHash }: Member): string {
    return this.vault.hmac('challenge', `${id}:${passwordHash ?? ''}`);
  }

  #openChallenge(sealed: string): Challenge | null {
    try {
      const read = JSON.parse(this.vault.open(sealed)) as Partial<Challenge>;
      // Other sealed texts are no challenges.
      const { userId, password, clientType, until } = read;
      if (typeof userId !== 'number' || typeof password !== 'string' || typeof until !== 'number') return null;
      if (clientType === undefined || !Object.hasOwn(CLIENT_TYPES, clientType)) return null;
      return { userId, password, clientType, until };
    } catch {
      return null;
    }
  }
}

const accountKey = ({ id }: Pick<Member, 'id'>): string => `sign-in-code-of-account:${id}`;

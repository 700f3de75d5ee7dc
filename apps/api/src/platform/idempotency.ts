import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineEntity, p } from '@mikro-orm/core';
import { EntityManager, raw } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { CLIENT_TIMEOUT_MS, HOLD_LIFE_MS, IDEMPOTENCY_HOURS } from '@yiqiao/domain/limits';
import { externalCall } from './admission.js';
import { uuid7 } from './uuid7.js';
import { Vault } from './vault.js';

/** Identifies a request: clients choose their keys, so the scope of a key is the caller and the route (decisions §1). */
export type IdempotentRequest = {
  userId: number;
  route: string;
  key: string | undefined;
  body: unknown;
  /** Without a key: joins an equal request in flight, and repeats its answer for so many seconds. */
  repeatSeconds?: number;
  /** A command that has ended without an effect ({@link CommandEnded}) is begun anew, under another id. */
  beginsAnew?: boolean;
};

const schema = defineEntity({
  name: 'IdempotencyKey',
  properties: {
    userId: p.bigint('number').primary(),
    route: p.string().primary(),
    key: p.string().primary(),
    bodyDigest: p.string(),
    commandId: p.uuid(),
    createdAt: p.datetime().defaultRaw('now()'),
    lockedUntil: p.datetime(),
    answeredAt: p.datetime().strictNullable(),
    sealedAnswer: p.text().strictNullable(),
    /** How long the answer is repeated; null: as long as the row lives. */
    repeatSeconds: p.integer().strictNullable(),
    /** How often the command was begun. */
    attempt: p.integer().defaultRaw('1'),
  },
});

export class IdempotencyKey extends schema.class {}
schema.setClass(IdempotencyKey);

type Scope = { userId: number; route: string; key: string };
/** `repeatSeconds` null: as long as the key lives. */
type Claim = { scope: Scope; digest: string; repeatSeconds: number | null };
/** The key of a request that is at work: its command, and how often that was begun. */
type Held = Scope & { commandId: string; attempt: number };

/** A result that is returned but not stored, like a refusal. */
export class Unstored<T> {
  constructor(readonly answer: T) {}
}

/**
 * How long a request keeps its key after its process died, or while the database is away; it renews the lease as long as it works. Two that
 * work at the same time after all share one command id and are charged once; the key is kept unless it is certain that only one did.
 */
const LEASE_SECONDS = 6;
const RENEW_MS = 2_000;

/** The refusal of a command that failed for good: nothing can be charged under its id any more. */
export class CommandEnded extends Refusal {
  constructor() {
    super('IDEMPOTENCY_KEY_REUSED');
  }
}

/**
 * Runs a request once per key. `work` gets a command id that stays the same when the request is taken over after a crash: effects written
 * under it are applied once. The result is stored encrypted for 24 hours; refusals and {@link Unstored} results are not.
 */
@Injectable()
export class Idempotency {
  constructor(
    private readonly em: EntityManager,
    private readonly vault: Vault,
  ) {}

  async once<T>(request: IdempotentRequest, work: (commandId: string) => Promise<T | Unstored<T>>): Promise<T> {
    const { key, repeatSeconds } = request;
    if (key === undefined && repeatSeconds === undefined) return plain(await work(uuid7()));
    if (key !== undefined && !/^[A-Za-z0-9_-]{1,64}$/.test(key))
      throw new Refusal('VALIDATION_FAILED', { errors: [{ path: 'Idempotency-Key', code: 'IDEMPOTENCY_KEY_FORMAT' }] });

    const digest = digestOf(request);
    const scope = scopeOf(request);
    const claim: Claim = { scope, digest, repeatSeconds: key === undefined ? (repeatSeconds ?? null) : null };
    const deadline = Date.now() + CLIENT_TIMEOUT_MS;
    let mayBeginAnew = request.beginsAnew === true;
    for (let pause = 20; Date.now() < deadline; pause = Math.min(pause * 2, 250)) {
      const held = await this.#claim(claim);
      if (held)
        try {
          return await this.#run(held, work);
        } catch (error) {
          if (!mayBeginAnew || !(error instanceof CommandEnded)) throw error;
          mayBeginAnew = false;
          continue;
        }
      const row = await this.em.fork().findOne(IdempotencyKey, scope);
      // Deleted in between: the next claim succeeds.
      if (!row) continue;
      if (row.bodyDigest !== digest) throw new Refusal('IDEMPOTENCY_KEY_REUSED');
      if (row.sealedAnswer !== null) return JSON.parse(this.vault.open(row.sealedAnswer)) as T;
      // The first request may be waiting for a vendor, which is not our own work.
      await externalCall(() => sleep(pause));
    }
    throw new Refusal('SERVICE_BUSY', { retryAfterSeconds: LEASE_SECONDS });
  }

  /** The answer of a request without a key, which is known, is repeated from now on for as long as if it were new. */
  async prolong(request: IdempotentRequest): Promise<void> {
    await this.em
      .fork()
      .nativeUpdate(IdempotencyKey, { ...scopeOf(request), answeredAt: { $ne: null } }, { answeredAt: raw('now()') });
  }

  /** The key when this request should do the work: it is new, expired, or abandoned by a crash. */
  async #claim({ scope, digest, repeatSeconds }: Claim): Promise<Held | undefined> {
    // Raw: a conditional upsert that returns the command id only if it applied.
    const rows = await this.em.fork().execute<{ command_id: string; attempt: number }[]>(
      `INSERT INTO idempotency_key AS k (user_id, route, key, body_digest, command_id, locked_until, repeat_seconds)
       VALUES (?, ?, ?, ?, ?, now() + make_interval(secs => ?), ?)
       ON CONFLICT (user_id, route, key) DO UPDATE SET
         locked_until = excluded.locked_until,
         created_at = CASE WHEN ${EXPIRED} THEN now() ELSE k.created_at END,
         command_id = CASE WHEN ${EXPIRED} THEN excluded.command_id ELSE k.command_id END,
         body_digest = CASE WHEN ${EXPIRED} THEN excluded.body_digest ELSE k.body_digest END,
         attempt = CASE WHEN ${EXPIRED} THEN 1 ELSE k.attempt + 1 END,
         answered_at = NULL, sealed_answer = NULL, repeat_seconds = excluded.repeat_seconds
       WHERE ${EXPIRED} OR (k.answered_at IS NULL AND k.locked_until < now() AND k.body_digest = excluded.body_digest)
       RETURNING command_id, attempt`,
      [scope.userId, scope.route, scope.key, digest, uuid7(), LEASE_SECONDS, repeatSeconds],
    );
    const [row] = rows;
    return row && { ...scope, commandId: row.command_id, attempt: row.attempt };
  }

  async #run<T>(held: Held, work: (commandId: string) => Promise<T | Unstored<T>>): Promise<T> {
    let renewed: Promise<unknown> = Promise.resolve();
    const renewal = setInterval(() => void (renewed = this.#renew(held)), RENEW_MS).unref();
    const renewsNoMore = async (): Promise<void> => {
      clearInterval(renewal);
      // Or it would take the key again after it was let go.
      await renewed;
    };
    try {
      const answer = await work(held.commandId);
      if (answer instanceof Unstored) {
        await renewsNoMore();
        await this.#giveUp(held);
        return plain(answer);
      }
      const stored = this.vault.seal(JSON.stringify(answer));
      // Raw: on the way of every translation with a key. The first answer stays, whichever attempt has it.
      await this.em.fork().execute(
        `UPDATE idempotency_key SET answered_at = now(), sealed_answer = ?
         WHERE user_id = ? AND route = ? AND key = ? AND command_id = ? AND answered_at IS NULL`,
        [stored, held.userId, held.route, held.key, held.commandId],
      );
      return answer;
    } catch (error) {
      await renewsNoMore();
      const refused = error instanceof Refusal && !isUnknownResult(error);
      // When the result is unknown, the row stays with its command id, free for the next try.
      await (error instanceof CommandEnded ? this.#forget(held) : refused ? this.#giveUp(held) : this.#release(held));
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  async #renew({ userId, route, key, commandId, attempt }: Held): Promise<void> {
    // Raw: the database's clock.
    await this.em
      .fork()
      .execute(
        `UPDATE idempotency_key SET locked_until = now() + make_interval(secs => ?)
         WHERE user_id = ? AND route = ? AND key = ? AND command_id = ? AND attempt = ? AND answered_at IS NULL`,
        [LEASE_SECONDS, userId, route, key, commandId, attempt],
      )
      .catch(() => undefined);
  }

  /**
   * A refusal is forgotten. After the first attempt the row stays with its command id, free for the next try: the request before may still be
   * at work, and would be charged beside whoever began under another id. When a statement fails, the lease expires by itself.
   */
  #giveUp(held: Held): Promise<void> {
    return held.attempt > 1 ? this.#release(held) : this.#forget(held);
  }

  async #forget(held: Held): Promise<void> {
    await this.em
      .fork()
      .nativeDelete(IdempotencyKey, { ...held, answeredAt: null })
      .catch(() => undefined);
  }

  async #release(held: Held): Promise<void> {
    await this.em
      .fork()
      .nativeUpdate(IdempotencyKey, { ...held, answeredAt: null }, { lockedUntil: raw('now()') })
      .catch(() => undefined);
  }
}

const digestOf = ({ body }: IdempotentRequest): string => hash('sha256', JSON.stringify(body), 'hex');

/** A colon keeps the digests of equal requests apart from the keys that clients choose. */
const scopeOf = (request: IdempotentRequest): Scope => ({
  userId: request.userId,
  route: request.route,
  key: request.key ?? `equal:${digestOf(request)}`,
});

const plain = <T>(answer: T | Unstored<T>): T => (answer instanceof Unstored ? answer.answer : answer);

/**
 * An abandoned request without a key of its client is repeated for as long as an answer, counted from the latest moment at which it can have
 * been charged: its command may never come to an end.
 */
const EXPIRED = `(k.created_at < now() - interval '${IDEMPOTENCY_HOURS} hours'
  OR k.answered_at < now() - make_interval(secs => k.repeat_seconds)
  OR (k.answered_at IS NULL AND k.locked_until < now()
    AND k.created_at < now() - make_interval(secs => k.repeat_seconds + ${HOLD_LIFE_MS / 1_000})))`;

/**
 * Whether a refusal leaves the result of a request unknown: it may have been executed, and a retry under the same command id finds out.
 * Every other refusal is final.
 */
export const isUnknownResult = (error: unknown): boolean =>
  error instanceof Refusal && (error.code === 'SERVICE_BUSY' || error.code === 'GATEWAY_UNKNOWN');

import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineEntity, p } from '@mikro-orm/core';
import { EntityManager, raw } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { CLIENT_TIMEOUT_MS, IDEMPOTENCY_HOURS } from '@yiqiao/domain/limits';
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
  },
});

export class IdempotencyKey extends schema.class {}
schema.setClass(IdempotencyKey);

type Scope = { userId: number; route: string; key: string };
/** `repeatSeconds` null: as long as the key lives. */
type Claim = { scope: Scope; digest: string; repeatSeconds: number | null };

/** A result that is returned but not stored, like a refusal. */
export class Unstored<T> {
  constructor(readonly answer: T) {}
}

/**
 * How long a request keeps its key after its process died, or while the database is away; it renews the lease as long as it works. Two that
 * work at the same time after all share one command id and are charged once.
 */
const LEASE_SECONDS = 6;
const RENEW_MS = 2_000;

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

    const digest = hash('sha256', JSON.stringify(request.body), 'hex');
    // A colon keeps them apart from the keys that clients choose.
    const scope: Scope = { userId: request.userId, route: request.route, key: key ?? `equal:${digest}` };
    const claim: Claim = { scope, digest, repeatSeconds: key === undefined ? (repeatSeconds ?? null) : null };
    const deadline = Date.now() + CLIENT_TIMEOUT_MS;
    for (let pause = 20; Date.now() < deadline; pause = Math.min(pause * 2, 250)) {
      const mine = await this.#claim(claim);
      if (mine) return this.#run(scope, mine, work);
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

  /** The command id when this request should do the work: the key is new, expired, or abandoned by a crash. */
  async #claim({ scope, digest, repeatSeconds }: Claim): Promise<string | undefined> {
    // Raw: a conditional upsert that returns the command id only if it applied.
    const rows = await this.em.fork().execute<{ command_id: string }[]>(
      `INSERT INTO idempotency_key AS k (user_id, route, key, body_digest, command_id, locked_until, repeat_seconds)
       VALUES (?, ?, ?, ?, ?, now() + make_interval(secs => ?), ?)
       ON CONFLICT (user_id, route, key) DO UPDATE SET
         locked_until = excluded.locked_until,
         created_at = CASE WHEN ${EXPIRED} THEN now() ELSE k.created_at END,
         command_id = CASE WHEN ${EXPIRED} THEN excluded.command_id ELSE k.command_id END,
         body_digest = CASE WHEN ${EXPIRED} THEN excluded.body_digest ELSE k.body_digest END,
         answered_at = NULL, sealed_answer = NULL, repeat_seconds = excluded.repeat_seconds
       WHERE ${EXPIRED} OR (k.answered_at IS NULL AND k.locked_until < now() AND k.body_digest = excluded.body_digest)
       RETURNING command_id`,
      [scope.userId, scope.route, scope.key, digest, uuid7(), LEASE_SECONDS, repeatSeconds],
    );
    return rows[0]?.command_id;
  }

  async #run<T>(scope: Scope, commandId: string, work: (commandId: string) => Promise<T | Unstored<T>>): Promise<T> {
    let renewed: Promise<unknown> = Promise.resolve();
    const renewal = setInterval(() => void (renewed = this.#renew(scope, commandId)), RENEW_MS).unref();
    try {
      const answer = await work(commandId);
      if (answer instanceof Unstored) {
        await this.#forget(scope, commandId);
        return plain(answer);
      }
      const stored = this.vault.seal(JSON.stringify(answer));
      // Raw: on the way of every translation with a key.
      await this.em.fork().execute(
        `UPDATE idempotency_key SET answered_at = now(), sealed_answer = ?
         WHERE user_id = ? AND route = ? AND key = ? AND command_id = ?`,
        [stored, scope.userId, scope.route, scope.key, commandId],
      );
      return answer;
    } catch (error) {
      clearInterval(renewal);
      // Or it would take the key again after it was let go.
      await renewed;
      await this.#release(scope, commandId, error);
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  async #renew(scope: Scope, commandId: string): Promise<void> {
    // Raw: the database's clock.
    await this.em
      .fork()
      .execute(
        `UPDATE idempotency_key SET locked_until = now() + make_interval(secs => ?)
         WHERE user_id = ? AND route = ? AND key = ? AND command_id = ? AND answered_at IS NULL`,
        [LEASE_SECONDS, scope.userId, scope.route, scope.key, commandId],
      )
      .catch(() => undefined);
  }

  /**
   * A refusal is forgotten. When the result is unknown, the row stays with its command id, free for the next try. When this statement fails,
   * the lease expires by itself.
   */
  async #release(scope: Scope, commandId: string, error: unknown): Promise<void> {
    const refused = error instanceof Refusal && !isUnknownResult(error);
    if (refused) return this.#forget(scope, commandId);
    await this.em
      .fork()
      .nativeUpdate(IdempotencyKey, { ...scope, commandId }, { lockedUntil: raw('now()') })
      .catch(() => undefined);
  }

  async #forget(scope: Scope, commandId: string): Promise<void> {
    await this.em
      .fork()
      .nativeDelete(IdempotencyKey, { ...scope, commandId })
      .catch(() => undefined);
  }
}

const plain = <T>(answer: T | Unstored<T>): T => (answer instanceof Unstored ? answer.answer : answer);

const EXPIRED = `(k.created_at < now() - interval '${IDEMPOTENCY_HOURS} hours'
  OR k.answered_at < now() - make_interval(secs => k.repeat_seconds))`;

/**
 * Whether a refusal leaves the result of a request unknown: it may have been executed, and a retry under the same command id finds out.
 * Every other refusal is final.
 */
export const isUnknownResult = (error: unknown): boolean =>
  error instanceof Refusal && (error.code === 'SERVICE_BUSY' || error.code === 'GATEWAY_UNKNOWN');

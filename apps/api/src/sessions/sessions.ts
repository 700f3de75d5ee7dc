import { hash, randomBytes } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { tokenOf, type Sha256 } from '@yiqiao/contracts/signing';
import { SESSION_DAYS, SESSIONS_MAX } from '@yiqiao/domain/limits';
import { CLIENT_TYPES, clientTypeOf, type ClientType } from '@yiqiao/domain/members';
import { Clock } from '../platform/clock.js';
import { Live, SESSIONS_TOPIC } from '../platform/live.js';
import { digestOf, type SessionReader, type SessionState, type SessionView } from '../platform/session-guard.js';
import { SharedReads } from '../platform/shared-reads.js';
import { type EndReason, Session } from './session.entity.js';

const SK_BYTES = 32;
/** How long this process may believe that a session is live: "ends within a second on every process" (decisions §2). */
const TRUST_MS = 500;
const TRUSTED_MAX = 20_000;
/** Longer than the transaction that ends sessions takes from their ending to its commit. */
const ENDING_MS = 5_000;
/** A session in use is looked at again before its trust ends, together with others, so that none of its requests waits for that. */
const RENEW_AFTER_MS = 250;
const RENEW_TOGETHER_MS = 100;
const TOUCH_MS = 60_000;
const LIFE_MS = SESSION_DAYS * 24 * 3600_000;

/** Beside the new session as many stay as leave room for it. */
const END_OLDEST = `UPDATE session SET ended_at = ?, end_reason = 'ended' WHERE token_digest IN (
  SELECT token_digest FROM session WHERE user_id = ? AND ended_at IS NULL AND last_used_at > ? AND token_digest <> ?
  ORDER BY created_at DESC, id DESC OFFSET ${SESSIONS_MAX - 1}) RETURNING id`;

/** As rows: every translation of a member who makes few of them reads one, and to make an entity of it costs more than the reading. */
const READ_SESSIONS = `SELECT token_digest, user_id, family_id, client_type, end_reason, ended_at IS NOT NULL AS ended,
  (extract(epoch FROM last_used_at) * 1000)::float8 AS used_ms
FROM session WHERE token_digest = ANY (?::text[])`;

type SessionRow = {
  token_digest: string;
  user_id: number;
  family_id: number;
  client_type: number;
  end_reason: EndReason | null;
  ended: boolean;
  used_ms: number;
};

/** A session as it was read. `lastUsedAt`: ms. */
type Stored = {
  readonly tokenDigest: string;
  readonly userId: number;
  readonly familyId: number;
  readonly clientType: number;
  readonly endReason: EndReason | null;
  readonly ended: boolean;
  lastUsedAt: number;
};

const storedOf = (row: SessionRow): Stored => ({
  tokenDigest: row.token_digest,
  userId: Number(row.user_id),
  familyId: Number(row.family_id),
  clientType: row.client_type,
  endReason: row.end_reason,
  ended: row.ended,
  lastUsedAt: row.used_ms,
});

const sha256: Sha256 = (text) => hash('sha256', text, 'hex');

type Trusted = { view: SessionView; until: number; lastUsedAt: number };

/** Sign-ins. They live in PostgreSQL, so a wiped Redis signs nobody out (decisions §2). */
@Injectable()
export class Sessions implements SessionReader {
  readonly #trusted = new Map<string, Trusted>();
  #renewing = new Set<string>();
  /** How many sessions this process has ended: what was read before the last of them proves nothing after it. */
  #endings = 0;
  /** Whose sessions are being ended, and until when they are not trusted: before the commit they can still be read as live. */
  readonly #ending = new Map<number, number>();
  // When the trust of a busy session ends, all its requests ask at once.
  readonly #sessions = new SharedReads<string, Stored>(async (digests) => {
    const rows = await this.em.fork().execute<SessionRow[]>(READ_SESSIONS, [`{${digests.join(',')}}`]);
    return new Map(rows.map((row) => [row.token_digest, storedOf(row)]));
  });

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly live: Live,
  ) {}

  /** Which of these sessions live. It is no use of them: whoever only watches does not keep a session from expiring. */
  async liveAmong(digests: ReadonlySet<string>): Promise<Set<string>> {
    const rows = await this.em
      .fork()
      .execute<{ token_digest: string }[]>(
        'SELECT token_digest FROM session WHERE token_digest = ANY (?::text[]) AND ended_at IS NULL AND last_used_at > ?',
        [`{${[...digests].join(',')}}`, new Date(this.clock.now().getTime() - LIFE_MS)],
      );
    return new Set(rows.map((row) => row.token_digest));
  }

  /**
   * Starts a session inside the caller's transaction. `sk` is 256 random bits in hex and is known to the client alone
   * from now on: only a digest of the token made from it is kept. The transaction holds the member's lock, so that concurrent
   * log-ins cannot exceed the limit together: beyond SESSIONS_MAX the oldest session ends (decisions §2).
   */
  async start(
    em: EntityManager,
    member: { id: number; familyId: number },
    from: { ip: string; clientType: ClientType },
  ): Promise<{ userId: number; sk: string }> {
    const sk = randomBytes(SK_BYTES).toString('hex');
    const now = this.clock.now();
    const tokenDigest = digestOf(tokenOf(sk, member.id, sha256));
    await em.insert(Session, {
      tokenDigest,
      userId: member.id,
      familyId: member.familyId,
      clientType: CLIENT_TYPES[from.clientType].code,
      loginIp: from.ip,
      createdAt: now,
      lastUsedAt: now,
    });
    const ended = await em.execute<object[]>(END_OLDEST, [
      now,
      member.id,
      new Date(now.getTime() - LIFE_MS),
      tokenDigest,
    ]);
    if (ended.length > 0) {
      this.#distrust([member.id]);
      this.#tell([member.id]);
    }
    return { userId: member.id, sk };
  }

  /** The session of this token digest, or null when there never was one. */
  async read(tokenDigest: string): Promise<SessionView | null> {
    const now = this.clock.now().getTime();
    const trusted = this.#trusted.get(tokenDigest);
    if (trusted && now < trusted.until && now >= trusted.until - TRUST_MS) {
      if (now >= trusted.until - TRUST_MS + RENEW_AFTER_MS) this.#renew(tokenDigest);
      return trusted.view;
    }
    this.#trusted.delete(tokenDigest);

    const endings = this.#endings;
    const session = await this.#sessions.get(tokenDigest);
    if (!session) return null;
    const view = viewOf(session, now);
    if (view.state === 'live') {
      await this.#touch(session, now);
      const { lastUsedAt } = session;
      if (endings === this.#endings) this.#trust(tokenDigest, { view, until: now + TRUST_MS, lastUsedAt });
    }
    return view;
  }

  /** Ends every live session of the member, inside the caller's transaction. */
  endAll(em: EntityManager, userId: number, reason: EndReason): Promise<void> {
    return this.endAllOf(em, [userId], reason);
  }

  /** The same for many members, in one statement. */
  async endAllOf(em: EntityManager, userIds: readonly number[], reason: EndReason): Promise<void> {
    await em.execute(
      'UPDATE session SET ended_at = ?, end_reason = ? WHERE user_id = ANY (?::bigint[]) AND ended_at IS NULL',
      [this.clock.now(), reason, `{${userIds.join(',')}}`],
    );
    this.#distrust(userIds);
    this.#tell(userIds);
  }

  /** To every process that holds streams. Nobody waits for it: without Redis they find out by themselves. */
  #tell(userIds: readonly number[]): void {
    if (userIds.length > 0) void this.live.publish(SESSIONS_TOPIC, { userIds: [...new Set(userIds)] });
  }

  /** Sessions of these members are being ended in a transaction that is still open. */
  #distrust(userIds: readonly number[]): void {
    const now = this.clock.now().getTime();
    for (const [userId, until] of this.#ending) if (until <= now) this.#ending.delete(userId);
    const ended = new Set(userIds);
    for (const userId of ended) this.#ending.set(userId, now + ENDING_MS);
    this.#endings++;
    for (const [digest, { view }] of this.#trusted) if (ended.has(view.userId)) this.#trusted.delete(digest);
  }

  /** The member is switched on again, inside the caller's transaction: what was signed in before is over, but not disabled. */
  async forgetDisabled(em: EntityManager, userId: number): Promise<void> {
    await em.execute(`UPDATE session SET end_reason = 'ended' WHERE user_id = ? AND end_reason = 'disabled'`, [userId]);
  }

  /** Ends one session: its member signed out. */
  async end(tokenDigest: string): Promise<void> {
    const endedAt = this.clock.now();
    const ended = await this.em
      .fork()
      .execute<{ user_id: number }[]>(
        `UPDATE session SET ended_at = ?, end_reason = 'ended' WHERE token_digest = ? AND ended_at IS NULL RETURNING user_id`,
        [endedAt, tokenDigest],
      );
    this.#endings++;
    this.#trusted.delete(tokenDigest);
    this.#tell(ended.map(({ user_id: userId }) => Number(userId)));
  }

  /** Ends one of the member's own that lives; false when there is no such session. */
  async endOwn(userId: number, id: number): Promise<boolean> {
    return (await this.#endWhere('user_id = ? AND id = ?', [userId, id])) > 0;
  }

  /** Ends all of the member's own but the one of this digest, if any; how many lived. */
  endOthers(userId: number, keptDigest: string | null): Promise<number> {
    return this.#endWhere('user_id = ? AND token_digest IS DISTINCT FROM ?', [userId, keptDigest]);
  }

  /** The members are gone, inside the caller's transaction: from where they signed in is nobody's business any more. */
  async forgetAddresses(em: EntityManager, userIds: readonly number[]): Promise<void> {
    await em.execute('UPDATE session SET login_ip = NULL WHERE user_id = ANY (?::bigint[]) AND login_ip IS NOT NULL', [
      `{${userIds.join(',')}}`,
    ]);
  }

  /** Not those that time has ended already: they go on saying so. */
  async #endWhere(which: string, values: (number | string | null)[]): Promise<number> {
    const now = this.clock.now();
    const ended = await this.em.fork().execute<{ token_digest: string; user_id: number }[]>(
      `UPDATE session SET ended_at = ?, end_reason = 'ended'
         WHERE ${which} AND ended_at IS NULL AND last_used_at > ? RETURNING token_digest, user_id`,
      [now, ...values, new Date(now.getTime() - LIFE_MS)],
    );
    this.#endings++;
    for (const { token_digest: digest } of ended) this.#trusted.delete(digest);
    this.#tell(ended.map(({ user_id: userId }) => Number(userId)));
    return ended.length;
  }

  /** Seven days count from the last use; writing that at every request would make each read a write. */
  async #touch(session: Stored, now: number): Promise<void> {
    if (now - session.lastUsedAt < TOUCH_MS) return;
    const { tokenDigest } = session;
    // Requests that share this reading share the writing, too.
    session.lastUsedAt = now;
    await this.em.fork().nativeUpdate(Session, { tokenDigest, endedAt: null }, { lastUsedAt: new Date(now) });
  }

  #renew(tokenDigest: string): void {
    if (this.#renewing.size === 0) setTimeout(() => void this.#renewAll().catch(() => undefined), RENEW_TOGETHER_MS);
    this.#renewing.add(tokenDigest);
  }

  /** What cannot be renewed is read by its next request, which is also what writes down that it was used. */
  async #renewAll(): Promise<void> {
    const now = this.clock.now().getTime();
    const asked = this.#renewing;
    this.#renewing = new Set();
    const endings = this.#endings;
    const live = await this.liveAmong(asked);
    if (endings !== this.#endings) return;
    for (const digest of asked) {
      const trusted = this.#trusted.get(digest);
      if (!live.has(digest)) this.#trusted.delete(digest);
      else if (trusted && now - trusted.lastUsedAt < TOUCH_MS) trusted.until = now + TRUST_MS;
    }
  }

  #trust(digest: string, trusted: Trusted): void {
    if ((this.#ending.get(trusted.view.userId) ?? 0) > this.clock.now().getTime()) return;
    if (this.#trusted.size >= TRUSTED_MAX) this.#trusted.clear();
    this.#trusted.set(digest, trusted);
  }
}

const viewOf = (session: Stored, now: number): SessionView => ({
  userId: session.userId,
  familyId: session.familyId,
  // A main account heads its own family (the schema's CHECK), so the family says who the parent is.
  parentId: session.familyId === session.userId ? null : session.familyId,
  clientType: clientTypeOf(session.clientType),
  state: stateOf(session, now),
});

const stateOf = (session: Stored, now: number): SessionState => {
  if (session.ended) return session.endReason ?? 'ended';
  return now - session.lastUsedAt >= LIFE_MS ? 'expired' : 'live';
};

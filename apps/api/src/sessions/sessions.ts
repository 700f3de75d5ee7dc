import { hash, randomBytes } from 'node:crypto';
import { EntityManager, type QBFilterQuery } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { tokenOf, type Sha256 } from '@yiqiao/contracts/signing';
import { SESSION_DAYS, SESSIONS_MAX } from '@yiqiao/domain/limits';
import { CLIENT_TYPES, clientTypeOf, type ClientType } from '@yiqiao/domain/members';
import { Clock } from '../platform/clock.js';
import { Live, SESSIONS_TOPIC } from '../platform/live.js';
import { digestOf, type SessionReader, type SessionState, type SessionView } from '../platform/session-guard.js';
import { readUserAgent } from '../platform/user-agent.js';
import { CoalescedReads } from '../platform/coalesced-reads.js';
import { type EndReason, Session } from './session.entity.js';

const SK_BYTES = 32;
/** How long this process caches that a session is live: "ends within a second on every process" (decisions §2). */
const CACHE_MS = 500;
const CACHE_MAX = 20_000;
/** Longer than a transaction that ends sessions takes from the update to its commit. */
const ENDING_MS = 5_000;
/** A session in use is re-read before its cache entry expires, together with others, so that no request waits for it. */
const REFRESH_AFTER_MS = 250;
const REFRESH_BATCH_MS = 100;
const TOUCH_AFTER_MS = 60_000;
const LIFE_MS = SESSION_DAYS * 24 * 3600_000;

/** Ends the oldest sessions beyond the limit. Raw: OFFSET in the subquery of an UPDATE. */
const END_OLDEST = `UPDATE session SET ended_at = ?, end_reason = 'ended' WHERE token_digest IN (
  SELECT token_digest FROM session
  WHERE user_id = ? AND ended_at IS NULL AND view_until IS NULL AND last_used_at > ? AND token_digest <> ?
  ORDER BY created_at DESC, id DESC OFFSET ${SESSIONS_MAX - 1}) RETURNING id`;

/** Raw: on the path of every request that misses the cache, where hydrating an entity costs more than the query. */
const READ_SESSIONS = `SELECT token_digest, user_id, family_id, client_type, end_reason, ended_at IS NOT NULL AS ended,
  (extract(epoch FROM last_used_at) * 1000)::float8 AS used_ms, (extract(epoch FROM view_until) * 1000)::float8 AS view_ms
FROM session WHERE token_digest = ANY (?::text[])`;

type SessionRow = {
  token_digest: string;
  user_id: number;
  family_id: number;
  client_type: number;
  end_reason: EndReason | null;
  ended: boolean;
  used_ms: number;
  view_ms: number | null;
};

/** A row of the session table. `lastUsedAt`, `viewUntil`: ms. */
type Stored = {
  readonly tokenDigest: string;
  readonly userId: number;
  readonly familyId: number;
  readonly clientType: number;
  readonly endReason: EndReason | null;
  readonly ended: boolean;
  readonly viewUntil: number | null;
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
  viewUntil: row.view_ms,
});

const sha256: Sha256 = (text) => hash('sha256', text, 'hex');

/** A new secret of this member, and the digest under which its session is kept. */
function secretOf(userId: number): { sk: string; tokenDigest: string } {
  const sk = randomBytes(SK_BYTES).toString('hex');
  return { sk, tokenDigest: digestOf(tokenOf(sk, userId, sha256)) };
}

type CachedSession = { view: SessionView; until: number; lastUsedAt: number };

/** Sessions are stored in PostgreSQL, so that losing Redis signs nobody out (decisions §2). */
@Injectable()
export class Sessions implements SessionReader {
  readonly #cache = new Map<string, CachedSession>();
  #refreshing = new Set<string>();
  /** Counts the sessions ended by this process: a read that began before the last of them must not be cached. */
  #endings = 0;
  /** Members whose sessions are being ended, and until when they are not cached: before the commit they still read as live. */
  readonly #ending = new Map<number, number>();
  // When the cache entry of a busy session expires, all its requests read at once.
  readonly #sessions = new CoalescedReads<string, Stored>(async (digests) => {
    const rows = await this.em.fork().execute<SessionRow[]>(READ_SESSIONS, [`{${digests.join(',')}}`]);
    return new Map(rows.map((row) => [row.token_digest, storedOf(row)]));
  });

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly live: Live,
  ) {}

  /** The live ones of these sessions. Does not count as use: an open stream alone does not keep a session from expiring. */
  async liveAmong(digests: ReadonlySet<string>): Promise<Set<string>> {
    const now = this.clock.now();
    // Raw: every process runs it several times a second, with up to thousands of digests in one array.
    const rows = await this.em.fork().execute<{ token_digest: string }[]>(
      `SELECT token_digest FROM session
         WHERE token_digest = ANY (?::text[]) AND ended_at IS NULL AND last_used_at > ? AND coalesce(view_until > ?, true)`,
      [`{${[...digests].join(',')}}`, new Date(now.getTime() - LIFE_MS), now],
    );
    return new Set(rows.map((row) => row.token_digest));
  }

  /**
   * Starts a session in the caller's transaction. `sk` is 256 random bits in hex, known only to the client: the server stores a digest of
   * the token derived from it. The transaction holds the member's lock, so that concurrent log-ins cannot exceed SESSIONS_MAX together:
   * beyond it the oldest session ends (decisions §2).
   */
  async start(
    em: EntityManager,
    member: { id: number; familyId: number },
    from: { ip: string; clientType: ClientType; userAgent: string },
  ): Promise<{ userId: number; sk: string }> {
    const { sk, tokenDigest } = secretOf(member.id);
    const now = this.clock.now();
    const { browser, system } = readUserAgent(from.userAgent);
    await em.insert(Session, {
      tokenDigest,
      userId: member.id,
      familyId: member.familyId,
      clientType: CLIENT_TYPES[from.clientType].code,
      loginIp: from.ip,
      browser,
      system,
      createdAt: now,
      lastUsedAt: now,
    });
    const ended = await em.execute<object[]>(END_OLDEST, [
      now,
      member.id,
      new Date(now.getTime() - LIFE_MS),
      tokenDigest,
    ]);
    if (ended.length > 0) this.#notifyEnded([member.id]);
    return { userId: member.id, sk };
  }

  /**
   * Starts the read-only session of an operator who views the account, in the caller's transaction: it has no address, is none of the
   * member's devices and ends at `until` (docs/decisions/0058).
   */
  async startView(
    em: EntityManager,
    member: { id: number; familyId: number },
    until: Date,
  ): Promise<{ userId: number; sk: string; tokenDigest: string }> {
    const { sk, tokenDigest } = secretOf(member.id);
    const now = this.clock.now();
    const { id: userId, familyId } = member;
    const clientType = CLIENT_TYPES.web.code;
    const times = { createdAt: now, lastUsedAt: now, viewUntil: until };
    await em.insert(Session, { tokenDigest, userId, familyId, clientType, ...times });
    return { userId, sk, tokenDigest };
  }

  /** The session of this token digest; null when it does not exist. */
  async read(tokenDigest: string): Promise<SessionView | null> {
    const now = this.clock.now().getTime();
    const cached = this.#cache.get(tokenDigest);
    if (cached && now < cached.until && now >= cached.until - CACHE_MS) {
      if (now >= cached.until - CACHE_MS + REFRESH_AFTER_MS) this.#refreshSoon(tokenDigest);
      return cached.view;
    }
    this.#cache.delete(tokenDigest);

    const endings = this.#endings;
    const session = await this.#sessions.get(tokenDigest);
    if (!session) return null;
    const view = viewOf(session, now);
    if (view.state === 'live') {
      await this.#touch(session, now);
      const { lastUsedAt } = session;
      const until = Math.min(now + CACHE_MS, session.viewUntil ?? Number.POSITIVE_INFINITY);
      if (endings === this.#endings) this.#store(tokenDigest, { view, until, lastUsedAt });
    }
    return view;
  }

  /** Ends every live session of these members in the caller's transaction. */
  async endAll(em: EntityManager, userIds: readonly number[], endReason: EndReason): Promise<void> {
    const live = { userId: { $in: [...userIds] }, endedAt: null };
    await em.nativeUpdate(Session, live, { endedAt: this.clock.now(), endReason });
    this.#notifyEnded(userIds);
  }

  /** The same for one member, except for the session with this digest. */
  async endAllBut(em: EntityManager, userId: number, keptDigest: string): Promise<void> {
    const others = { userId, tokenDigest: { $ne: keptDigest }, endedAt: null };
    await em.nativeUpdate(Session, others, { endedAt: this.clock.now(), endReason: 'ended' });
    this.#notifyEnded([userId]);
  }

  #notifyEnded(userIds: readonly number[]): void {
    this.#uncache(userIds);
    this.#publish(userIds);
  }

  /** Notifies the processes with open streams. Not awaited: without Redis they find out by polling. */
  #publish(userIds: readonly number[]): void {
    if (userIds.length > 0) void this.live.publish(SESSIONS_TOPIC, { userIds: [...new Set(userIds)] });
  }

  /** Called inside the transaction that ends the sessions of these members. */
  #uncache(userIds: readonly number[]): void {
    const now = this.clock.now().getTime();
    for (const [userId, until] of this.#ending) if (until <= now) this.#ending.delete(userId);
    const ended = new Set(userIds);
    for (const userId of ended) this.#ending.set(userId, now + ENDING_MS);
    this.#endings++;
    for (const [digest, { view }] of this.#cache) if (ended.has(view.userId)) this.#cache.delete(digest);
  }

  /** In the caller's transaction, for members that are enabled again: their old sessions are ended, but no longer as disabled. */
  async clearDisabled(em: EntityManager, userIds: readonly number[]): Promise<void> {
    await em.nativeUpdate(Session, { userId: { $in: [...userIds] }, endReason: 'disabled' }, { endReason: 'ended' });
  }

  /** Ends one session on sign-out. */
  async end(tokenDigest: string): Promise<void> {
    await this.#endWhere({ tokenDigest });
    this.#cache.delete(tokenDigest);
  }

  /** Ends one live session of the member; false when there is none with this id. */
  async endOwn(userId: number, id: number, em = this.em.fork()): Promise<boolean> {
    return (await this.#endWhere({ userId, id, viewUntil: null, ...this.#unexpired() }, em)) > 0;
  }

  /** Ends all live sessions of the member except the one with this digest, if given; returns their number. */
  endOthers(userId: number, keptDigest: string | null, em = this.em.fork()): Promise<number> {
    const others = keptDigest === null ? {} : { tokenDigest: { $ne: keptDigest } };
    return this.#endWhere({ userId, viewUntil: null, ...others, ...this.#unexpired() }, em);
  }

  /** In the caller's transaction, for deleted members: erases the addresses and devices they signed in from. */
  async eraseAddresses(em: EntityManager, userIds: readonly number[]): Promise<void> {
    const known = { userId: { $in: [...userIds] }, loginIp: { $ne: null } };
    await em.nativeUpdate(Session, known, { loginIp: null, browser: null, system: null });
  }

  /** Sessions that have expired keep that state. */
  #unexpired(): { lastUsedAt: { $gt: Date } } {
    return { lastUsedAt: { $gt: new Date(this.clock.now().getTime() - LIFE_MS) } };
  }

  async #endWhere(which: QBFilterQuery<Session>, em = this.em.fork()): Promise<number> {
    const ended = await em
      .createQueryBuilder(Session)
      .update({ endedAt: this.clock.now(), endReason: 'ended' })
      .where({ $and: [which, { endedAt: null }] })
      .returning(['tokenDigest', 'userId'])
      .execute<Pick<Session, 'tokenDigest' | 'userId'>[]>('all');
    this.#endings++;
    for (const { tokenDigest } of ended) this.#cache.delete(tokenDigest);
    this.#publish(ended.map(({ userId }) => Number(userId)));
    return ended.length;
  }

  /** Expiry counts from the last use; written at intervals, so that not every request becomes a write. */
  async #touch(session: Stored, now: number): Promise<void> {
    if (now - session.lastUsedAt < TOUCH_AFTER_MS) return;
    const { tokenDigest } = session;
    // Requests that share this read also share the write.
    session.lastUsedAt = now;
    await this.em.fork().nativeUpdate(Session, { tokenDigest, endedAt: null }, { lastUsedAt: new Date(now) });
  }

  #refreshSoon(tokenDigest: string): void {
    if (this.#refreshing.size === 0)
      setTimeout(() => void this.#refreshBatch().catch(() => undefined), REFRESH_BATCH_MS);
    this.#refreshing.add(tokenDigest);
  }

  /** A session that is not refreshed is read by its next request, which also records its use. */
  async #refreshBatch(): Promise<void> {
    const now = this.clock.now().getTime();
    const digests = this.#refreshing;
    this.#refreshing = new Set();
    const endings = this.#endings;
    const live = await this.liveAmong(digests);
    if (endings !== this.#endings) return;
    for (const digest of digests) {
      const cached = this.#cache.get(digest);
      if (!live.has(digest)) this.#cache.delete(digest);
      else if (cached && now - cached.lastUsedAt < TOUCH_AFTER_MS) cached.until = now + CACHE_MS;
    }
  }

  #store(digest: string, entry: CachedSession): void {
    if ((this.#ending.get(entry.view.userId) ?? 0) > this.clock.now().getTime()) return;
    if (this.#cache.size >= CACHE_MAX) this.#cache.clear();
    this.#cache.set(digest, entry);
  }
}

const viewOf = (session: Stored, now: number): SessionView => ({
  userId: session.userId,
  familyId: session.familyId,
  // A main account's family id is its own id (the schema's CHECK), so the family determines the parent.
  parentId: session.familyId === session.userId ? null : session.familyId,
  clientType: clientTypeOf(session.clientType),
  state: stateOf(session, now),
  viewOnly: session.viewUntil !== null,
});

const stateOf = (session: Stored, now: number): SessionState => {
  if (session.ended) return session.endReason ?? 'ended';
  return now - session.lastUsedAt >= LIFE_MS || now >= (session.viewUntil ?? Infinity) ? 'expired' : 'live';
};

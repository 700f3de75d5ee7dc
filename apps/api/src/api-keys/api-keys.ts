import { hash, randomInt } from 'node:crypto';
import { BlockList, isIPv6 } from 'node:net';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { API_KEY_SCOPES, type ApiKeyKind, type ApiKeyScope } from '@yiqiao/contracts/api-keys';
import { Refusal } from '@yiqiao/domain/errors';
import { ApiKeyReader, type ApiKeyUse, type KeyCaller } from '../platform/api-key-reader.js';
import { CachedReads } from '../platform/cached-reads.js';
import { CacheInvalidation } from '../platform/cache-invalidation.js';
import { Clock } from '../platform/clock.js';
import { Outbox } from '../platform/outbox.js';
import { SharedWindows } from '../platform/shared-windows.js';

export { ReadUsage } from './read-usage.js';

/** Without those that look alike. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';
const LOWER = ALPHABET.slice(0, 31);
const PREFIX_LENGTH = 8;
/** 184 bits. */
const SECRET_LENGTH = 32;
const SECRET = new RegExp(`^yqu?_[${LOWER}]{${PREFIX_LENGTH}}[${ALPHABET}]{${SECRET_LENGTH}}$`);
/** The last use is stored to the minute. */
const TOUCH_MS = 60_000;
const TOUCHES_MAX = 20_000;

const pick = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

const digestOf = (secret: string): string => hash('sha256', secret, 'hex');

/** A new secret: `yq_` or, for URLs, `yqu_`, eight readable characters and 32 more. */
export function newSecret(kind: ApiKeyKind): { secret: string; prefix: string; digest: string } {
  const prefix = `${kind === 'url' ? 'yqu' : 'yq'}_${pick(LOWER, PREFIX_LENGTH)}`;
  const secret = prefix + pick(ALPHABET, SECRET_LENGTH);
  return { secret, prefix, digest: digestOf(secret) };
}

type Row = {
  digest: string;
  id: number;
  user_id: number;
  family_id: number;
  name: string;
  kind: ApiKeyKind;
  scopes: ApiKeyScope[];
  tran_channel_id: number | null;
  requests_per_second: number;
  allowed_ips: string[];
  expire_ms: number | null;
  old_ms: number | null;
  revoked: boolean;
  closed: boolean;
  enabled: boolean;
};

/** `old_ms`: until when a secret works that was rotated away; null for the current one. Raw: on the path of every request with a key. */
const READ = `
SELECT d.digest, k.id, k.user_id, k.family_id, k.name, k.kind, array_to_json(k.scopes) AS scopes, k.tran_channel_id, k.requests_per_second,
  array_to_json(k.allowed_ips) AS allowed_ips, (extract(epoch FROM k.expire_at) * 1000)::float8 AS expire_ms, d.old_ms,
  k.revoked_at IS NOT NULL AS revoked, m.closed_at IS NOT NULL AS closed, m.enabled AND main.enabled AS enabled
FROM (
  SELECT id, digest, NULL::float8 AS old_ms FROM api_key WHERE digest = ANY (?::text[])
  UNION ALL
  SELECT id, old_digest, (extract(epoch FROM old_until) * 1000)::float8 FROM api_key WHERE old_digest = ANY (?::text[])
) AS d JOIN api_key k USING (id) JOIN member m ON m.id = k.user_id JOIN member main ON main.id = k.family_id`;

type Stored = Omit<Row, 'digest' | 'allowed_ips'> & { readonly allowed: BlockList | null };

/** Keys of the members' own software (docs/decisions/0071). Other processes see a change within half a second, this one at once. */
@Injectable()
export class ApiKeys extends ApiKeyReader {
  readonly #keys = new CachedReads<string, Stored>((digests) => this.#read(digests));
  /** The digests in use, by key and by member, to drop them when one of these changes here. */
  readonly #digests = new Map<string, Set<string>>();
  readonly #touched = new Map<number, number>();

  constructor(
    private readonly em: EntityManager,
    private readonly outbox: Outbox,
    private readonly windows: SharedWindows,
    private readonly clock: Clock,
    invalidation: CacheInvalidation,
  ) {
    super();
    invalidation.onInvalidate((userId) => this.#drop(`user ${userId}`));
  }

  /** After the commit of a change. */
  changed(id: number): void {
    this.#drop(`key ${id}`);
  }

  override async authenticate(secret: string, { ip, scope }: ApiKeyUse): Promise<KeyCaller> {
    const key = SECRET.test(secret) ? await this.#keys.get(digestOf(secret)) : undefined;
    const now = Date.now();
    if (!key || (key.old_ms !== null && key.old_ms <= now) || key.closed) throw new Refusal('API_KEY_UNKNOWN');
    if (key.revoked) throw new Refusal('API_KEY_REVOKED');
    if (key.expire_ms !== null && key.expire_ms <= now) throw new Refusal('API_KEY_EXPIRED');
    if (!key.enabled) throw new Refusal('SESSION_DISABLED');
    if (key.allowed && !key.allowed.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4'))
      throw new Refusal('API_KEY_ADDRESS', { data: { ip } });
    if (!key.scopes.includes(scope))
      throw new Refusal('API_KEY_SCOPE', { data: { scope, zh: API_KEY_SCOPES[scope].zh } });
    await this.#limit(key);
    this.#touch(key.id, now);
    return {
      userId: key.user_id,
      familyId: key.family_id,
      isMain: key.user_id === key.family_id,
      clientType: 'api',
      sessionDigest: '',
      apiKey: { id: key.id, name: key.name, kind: key.kind, channelId: key.tran_channel_id },
    };
  }

  override async reached(apiKeyId: number, period: 'day' | 'month', cap: number, renewsAt: string): Promise<void> {
    const column = period === 'day' ? 'capped_day' : 'capped_month';
    await this.em.fork().transactional(async (em) => {
      // The beginning of the next period names the period. Once per period, however many requests reach the cap at once.
      const [row] = await em.execute<{ user_id: number; family_id: number; name: string; prefix: string }[]>(
        `UPDATE api_key SET ${column} = ?::date WHERE id = ? AND ${column} IS DISTINCT FROM ?::date
         RETURNING user_id, family_id, name, prefix`,
        [renewsAt, apiKeyId, renewsAt],
      );
      if (!row) return;
      const [userId, familyId] = [Number(row.user_id), Number(row.family_id)];
      const next = this.clock.fromWire(renewsAt).getTime();
      const at = this.clock.now().getTime();
      await this.outbox.record(em, {
        type: 'ApiKeyCapped',
        apiKeyId,
        apiKeyName: row.name,
        apiKeyPrefix: row.prefix,
        userId,
        familyId,
        period,
        cap,
        renewsAt: next,
        at,
      });
    });
  }

  async #read(digests: string[]): Promise<Map<string, Stored>> {
    const list = `{${digests.join(',')}}`;
    const rows = await this.em.fork().execute<Row[]>(READ, [list, list]);
    return new Map(
      rows.map(({ digest, allowed_ips, ...row }) => {
        const key = { ...row, id: Number(row.id), user_id: Number(row.user_id), family_id: Number(row.family_id) };
        for (const owner of [`key ${key.id}`, `user ${key.user_id}`, `user ${key.family_id}`])
          this.#remember(owner, digest);
        return [digest, { ...key, allowed: allowed_ips.length > 0 ? blockListOf(allowed_ips) : null }];
      }),
    );
  }

  #remember(owner: string, digest: string): void {
    if (this.#digests.size >= TOUCHES_MAX) this.#digests.clear();
    const known = this.#digests.get(owner) ?? new Set();
    this.#digests.set(owner, known.add(digest));
  }

  #drop(owner: string): void {
    for (const digest of this.#digests.get(owner) ?? []) this.#keys.invalidate(digest);
  }

  async #limit({ id, requests_per_second: units }: Stored): Promise<void> {
    if (units === 0) return;
    // Over two seconds, so that a burst passes and the average holds, like the limits of accounts.
    const limits = { requests: { units: units * 2, windowMs: 2_000 } };
    const { granted, waitMs } = await this.windows.take({ key: `api-key:${id}`, limits, sizes: [{ requests: 1 }] });
    if (granted === 0)
      throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) });
  }

  #touch(id: number, now: number): void {
    if (now - (this.#touched.get(id) ?? 0) < TOUCH_MS) return;
    if (this.#touched.size >= TOUCHES_MAX) this.#touched.clear();
    this.#touched.set(id, now);
    // Not worth failing or delaying a request.
    void this.em
      .fork()
      .execute('UPDATE api_key SET last_used_at = now() WHERE id = ?', [id])
      .catch(() => this.#touched.delete(id));
  }
}

/** A range that cannot be read allows nobody: one key must not fail the look-up of others. */
function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    try {
      if (bits === undefined) list.addAddress(address, family);
      else list.addSubnet(address, Number(bits), family);
    } catch {
      continue;
    }
  }
  return list;
}

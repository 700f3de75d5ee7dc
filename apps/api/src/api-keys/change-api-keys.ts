import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { createApiKey, revokeApiKeys, rotateApiKey, updateApiKey } from '@yiqiao/contracts/api-keys';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import { Refusal } from '@yiqiao/domain/errors';
import { API_KEYS_MAX } from '@yiqiao/domain/limits';
import { SpendingCaps } from '../ledger/ledger.js';
import { Members } from '../members/members.js';
import { Plans } from '../plans/plans.js';
import { Clock } from '../platform/clock.js';
import type { Caller } from '../platform/endpoint.js';
import { RateLimits } from '../platform/rate-limits.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeys, newSecret } from './api-keys.js';
import { type ApiKeyRow, keysOf, readKey } from './find-api-keys.js';

type Settings = Omit<Input<typeof updateApiKey>, 'id'>;

export class CreateApiKey extends Command<Answer<typeof createApiKey>> {
  constructor(
    readonly caller: Caller,
    readonly input: Input<typeof createApiKey>,
  ) {
    super();
  }
}

@CommandHandler(CreateApiKey)
export class CreateApiKeyHandler implements ICommandHandler<CreateApiKey> {
  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
    private readonly plans: Plans,
    private readonly caps: SpendingCaps,
    private readonly limits: RateLimits,
    private readonly clock: Clock,
  ) {}

  async execute({ caller, input: { kind, ...settings } }: CreateApiKey): Promise<Answer<typeof createApiKey>> {
    const { userId, familyId } = caller;
    const { secret, prefix, digest } = newSecret(kind);
    const columns = await columnsOf(settings, caller, this.plans, this.clock);
    const apiKey = await this.em.fork().transactional(async (em) => {
      // One after the other, so that the limit holds; and not after the account was closed.
      if (!(await this.members.lock(em, familyId)) || (userId !== familyId && !(await this.members.lock(em, userId))))
        throw new Refusal('SESSION_CLOSED');
      if ((await em.count(ApiKey, { familyId, revokedAt: null })) >= API_KEYS_MAX) throw new Refusal('API_KEYS_FULL');
      await this.limits.take('apiKeys', String(familyId));
      const id = Number(await em.insert(ApiKey, { userId, familyId, kind, prefix, digest, ...columns }));
      if (settings.dayCap > 0 || settings.monthCap > 0) await this.caps.changed(em, userId);
      return readKey(em, id, caller, this.clock);
    });
    return { apiKey, secret };
  }
}

export class UpdateApiKey extends Command<ApiKeyRow> {
  constructor(
    readonly caller: Caller,
    readonly input: Input<typeof updateApiKey>,
  ) {
    super();
  }
}

@CommandHandler(UpdateApiKey)
export class UpdateApiKeyHandler implements ICommandHandler<UpdateApiKey> {
  constructor(
    private readonly em: EntityManager,
    private readonly plans: Plans,
    private readonly caps: SpendingCaps,
    private readonly keys: ApiKeys,
    private readonly clock: Clock,
  ) {}

  async execute({ caller, input: { id, ...settings } }: UpdateApiKey): Promise<ApiKeyRow> {
    const { userId, familyId } = await findKey(this.em.fork(), id, caller);
    const columns = await columnsOf(
      settings,
      { ...caller, userId, isMain: userId === familyId },
      this.plans,
      this.clock,
    );
    const row = await this.em.fork().transactional(async (em) => {
      // The account first, as the writer of the ledger does; what is charged from now on is counted against the new caps.
      await this.caps.lock(em, [userId]);
      const key = await lockKey(em, id, caller);
      if (key.kind === 'url' && settings.scopes.some((scope) => scope !== 'text'))
        throw new Refusal('VALIDATION_FAILED', { errors: [{ path: 'scopes', code: 'API_KEY_URL_SCOPE' }] });
      await em.nativeUpdate(ApiKey, { id }, columns);
      await this.caps.changed(em, userId);
      return readKey(em, id, caller, this.clock);
    });
    this.keys.changed(id);
    return row;
  }
}

export class RotateApiKey extends Command<Answer<typeof rotateApiKey>> {
  constructor(
    readonly caller: Caller,
    readonly input: Input<typeof rotateApiKey>,
  ) {
    super();
  }
}

@CommandHandler(RotateApiKey)
export class RotateApiKeyHandler implements ICommandHandler<RotateApiKey> {
  constructor(
    private readonly em: EntityManager,
    private readonly keys: ApiKeys,
    private readonly limits: RateLimits,
    private readonly clock: Clock,
  ) {}

  async execute({ caller, input: { id, overlapHours } }: RotateApiKey): Promise<Answer<typeof rotateApiKey>> {
    const { apiKey, secret } = await this.em.fork().transactional(async (em) => {
      const key = await lockKey(em, id, caller);
      await this.limits.take('apiKeyRotations', String(caller.userId));
      const { secret, prefix, digest } = newSecret(key.kind);
      const until = new Date(this.clock.now().getTime() + overlapHours * 3_600_000);
      const old = overlapHours > 0 ? { oldDigest: key.digest, oldUntil: until } : { oldDigest: null, oldUntil: null };
      await em.nativeUpdate(ApiKey, { id }, { prefix, digest, ...old });
      return { apiKey: await readKey(em, id, caller, this.clock), secret };
    });
    this.keys.changed(id);
    return { apiKey, secret };
  }
}

export class RevokeApiKeys extends Command<Answer<typeof revokeApiKeys>> {
  constructor(
    readonly caller: Caller,
    readonly ids: readonly number[],
  ) {
    super();
  }
}

@CommandHandler(RevokeApiKeys)
export class RevokeApiKeysHandler implements ICommandHandler<RevokeApiKeys> {
  constructor(
    private readonly em: EntityManager,
    private readonly caps: SpendingCaps,
    private readonly keys: ApiKeys,
    private readonly clock: Clock,
  ) {}

  async execute({ caller, ids }: RevokeApiKeys): Promise<Answer<typeof revokeApiKeys>> {
    const wanted = [...new Set(ids)];
    const count = await this.em.fork().transactional(async (em) => {
      const mine = { id: { $in: wanted }, ...keysOf(caller) };
      const owners = await em.find(ApiKey, mine, { fields: ['userId'], disableIdentityMap: true });
      await this.caps.lock(em, [...new Set(owners.map(({ userId }) => userId))]);
      const options = { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } } as const;
      const found = await em.find(ApiKey, mine, { ...options, disableIdentityMap: true });
      if (found.length < wanted.length) throw new Refusal('NOT_FOUND');
      const live = found.filter(({ revokedAt }) => revokedAt === null);
      await em.nativeUpdate(ApiKey, { id: { $in: live.map(({ id }) => id) } }, { revokedAt: this.clock.now() });
      for (const userId of new Set(live.map((key) => key.userId))) await this.caps.changed(em, userId);
      return live.length;
    });
    for (const id of wanted) this.keys.changed(id);
    return { count };
  }
}

/** The caller's key. Throws NOT_FOUND. */
async function findKey(em: EntityManager, id: number, caller: Caller): Promise<ApiKey> {
  const key = await em.findOne(ApiKey, { id, ...keysOf(caller) });
  if (!key) throw new Refusal('NOT_FOUND');
  return key;
}

/** The caller's key, locked. Throws NOT_FOUND, or API_KEY_REVOKED as a conflict: a revoked key stays as it is. */
async function lockKey(em: EntityManager, id: number, caller: Caller): Promise<ApiKey> {
  const key = await em.findOne(
    ApiKey,
    { id, ...keysOf(caller) },
    { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true },
  );
  if (!key) throw new Refusal('NOT_FOUND');
  if (key.revokedAt !== null) throw new Refusal('API_KEY_NOT_CHANGEABLE');
  return key;
}

type Columns = Omit<Settings, 'expireDateTime'> & { expireAt: Date | null };

/** Throws what the owner may not have: MAIN_ACCOUNT_ONLY, NOT_FOUND (channel), VALIDATION_FAILED. */
async function columnsOf(settings: Settings, owner: Caller, plans: Plans, clock: Clock): Promise<Columns> {
  const { expireDateTime, tranChannelId, ...rest } = settings;
  const expireAt = expireDateTime === null ? null : clock.fromWire(expireDateTime);
  if (expireAt && expireAt <= clock.now())
    throw new Refusal('VALIDATION_FAILED', { errors: [{ path: 'expireDateTime', code: 'API_KEY_EXPIRY_PAST' }] });
  // A sub-account translates through its main account's channel, and reads its glossary.
  if (!owner.isMain && (tranChannelId !== null || rest.scopes.includes('glossary.write')))
    throw new Refusal('MAIN_ACCOUNT_ONLY');
  if (tranChannelId !== null && !(await plans.channelOffers()).some(({ id }) => id === tranChannelId))
    throw new Refusal('NOT_FOUND');
  return { ...rest, tranChannelId, expireAt };
}

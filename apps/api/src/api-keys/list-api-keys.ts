import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { getApiKey, listApiKeys } from '@yiqiao/contracts/api-keys';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import { Clock } from '../platform/clock.js';
import type { Caller } from '../platform/endpoint.js';
import { readKey, readKeys } from './find-api-keys.js';

export class ListApiKeys extends Query<Answer<typeof listApiKeys>> {
  constructor(
    readonly caller: Caller,
    readonly input: Input<typeof listApiKeys>,
  ) {
    super();
  }
}

const STATES = {
  active: 'k.revoked_at IS NULL AND (k.expire_at IS NULL OR k.expire_at > now())',
  expired: 'k.revoked_at IS NULL AND k.expire_at <= now()',
  revoked: 'k.revoked_at IS NOT NULL',
};

@QueryHandler(ListApiKeys)
export class ListApiKeysHandler implements IQueryHandler<ListApiKeys> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async execute({ caller, input }: ListApiKeys): Promise<Answer<typeof listApiKeys>> {
    const { pageNum, pageSize, keyword = '', userId, state } = input;
    const em = this.em.fork();
    const mine = caller.isMain ? 'k.family_id = ?' : 'k.user_id = ?';
    const own = caller.isMain ? caller.familyId : caller.userId;
    const conditions = [mine, state ? STATES[state] : 'k.revoked_at IS NULL'];
    const parameters: unknown[] = [own];
    if (keyword !== '') {
      conditions.push('(position(lower(?) in lower(k.name)) > 0 OR position(? in k.prefix) > 0)');
      parameters.push(keyword, keyword);
    }
    if (userId !== undefined) {
      conditions.push('k.user_id = ?');
      parameters.push(userId);
    }
    const where = { condition: conditions.join(' AND '), parameters };
    const page = { limit: pageSize, offset: (pageNum - 1) * pageSize };
    const [rows, [counts]] = await Promise.all([
      readKeys(em, { ...where, page }, this.clock),
      this.em.fork().execute<{ total: number; count: number }[]>(
        `SELECT (SELECT count(*)::int FROM api_key k WHERE ${where.condition}) AS total,
           (SELECT count(*)::int FROM api_key WHERE family_id = ? AND revoked_at IS NULL) AS count`,
        [...parameters, caller.familyId],
      ),
    ]);
    return { rows, total: counts?.total ?? 0, count: counts?.count ?? 0 };
  }
}

export class GetApiKey extends Query<Answer<typeof getApiKey>> {
  constructor(
    readonly caller: Caller,
    readonly id: number,
  ) {
    super();
  }
}

@QueryHandler(GetApiKey)
export class GetApiKeyHandler implements IQueryHandler<GetApiKey> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  execute({ caller, id }: GetApiKey): Promise<Answer<typeof getApiKey>> {
    return readKey(this.em.fork(), id, caller, this.clock);
  }
}

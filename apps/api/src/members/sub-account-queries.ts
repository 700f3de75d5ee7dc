import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { getChildUser } from '@yiqiao/contracts/sub-accounts';
import { Refusal } from '@yiqiao/domain/errors';
import { Ledger } from '../ledger/ledger.js';
import { Clock } from '../platform/clock.js';

export type SubAccountRow = Answer<typeof getChildUser>;

type Row = {
  id: number;
  account: string;
  nickname: string | null;
  enabled: boolean;
  auto: boolean;
  last_login: Date | null;
};

/** Reads sub-accounts for their main account (decisions §9). */
@Injectable()
export class SubAccountQueries {
  constructor(
    private readonly em: EntityManager,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
  ) {}

  /** The rows of these sub-accounts of `mainId`, newest first, without those of other families and deleted ones. A fixed number of statements. */
  async read(mainId: number, userIds: readonly number[]): Promise<SubAccountRow[]> {
    if (userIds.length === 0) return [];
    const rows = await this.em.fork().execute<Row[]>(ROWS, [`{${userIds.join(',')}}`, mainId]);
    const balances = await this.ledger.balancesOf(rows.map((row) => Number(row.id)));
    return rows.map((row) => {
      const balance = balances.get(Number(row.id));
      return {
        userId: Number(row.id),
        account: row.account,
        nickname: row.nickname ?? row.account,
        enabled: row.enabled ? 1 : 0,
        autoDistribution: row.auto ? 1 : 0,
        lastLoginDateTime: row.last_login && this.clock.toWire(new Date(row.last_login)),
        memberAccount: {
          usableCharNum: balance?.usableCharNum ?? 0,
          usableVoiceNum: balance?.usableVoiceNum ?? 0,
          usableImageNum: balance?.usableImageNum ?? 0,
        },
      };
    });
  }

  /** Throws NOT_FOUND for an id that is not an open sub-account of `mainId`. */
  async one(mainId: number, userId: number): Promise<SubAccountRow> {
    const [row] = await this.read(mainId, [userId]);
    if (!row) throw new Refusal('NOT_FOUND');
    return row;
  }
}

const ROWS = `
SELECT m.id, i.shown AS account, m.nickname, m.enabled, m.auto_distribution AS auto, l.logged_in_at AS last_login
FROM member m
JOIN identity i ON i.user_id = m.id AND i.kind = 'username'
LEFT JOIN LATERAL (SELECT logged_in_at FROM login_log WHERE user_id = m.id ORDER BY logged_in_at DESC, id DESC LIMIT 1) l ON true
WHERE m.id = ANY (?::bigint[]) AND m.parent_id = ? AND m.closed_at IS NULL
ORDER BY m.id DESC`;

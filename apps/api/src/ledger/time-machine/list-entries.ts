import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { listEntries } from '@yiqiao/contracts/operator/accounts';
import { Clock } from '../../platform/clock.js';
import { readRows } from '../log/account-log-rows.js';
import { FIRST_HEAD } from '../rows/chain.js';
import { entryCount } from './read-states.js';

type Entries = Answer<typeof listEntries>;

export class ListEntries extends Query<Entries> {
  constructor(
    readonly request: Input<typeof listEntries>,
    readonly language: Language,
  ) {
    super();
  }
}

/** The event stream of an account: entries in words with their place in the chain, newest first (operators §6). */
@QueryHandler(ListEntries)
export class ListEntriesHandler implements IQueryHandler<ListEntries> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async execute({ request: { userId, fromSeq, toSeq, limit }, language }: ListEntries): Promise<Entries> {
    const em = this.em.fork();
    const last = Math.min(toSeq ?? Number.POSITIVE_INFINITY, await entryCount(em, userId));
    const oldest = fromSeq ?? 1;
    const first = Math.max(oldest, last - limit + 1);
    const total = Math.max(0, last - oldest + 1);
    if (total === 0) return { rows: [], total };
    const span = { condition: 'seq BETWEEN ? AND ?', parameters: [first, last] };
    const rows = await readRows(em, { userId, language, ...span }, this.clock);
    const links = await em.execute<Link[]>(LINKS, [userId, first - 1, last]);
    const linkOf = new Map(links.map((link) => [Number(link.id), link]));
    const hashAt = new Map(links.map(({ seq, hash }) => [seq, hash]));
    return {
      total,
      rows: rows.map((row) => {
        const link = linkOf.get(row.id);
        if (!link) throw new Error(`entry ${row.id} has no hash`);
        const { seq, hash, cmdId } = link;
        return { ...row, seq, hash, cmdId, previousHash: hashAt.get(seq - 1) ?? FIRST_HEAD, words: row.explanation };
      }),
    };
  }
}

type Link = { id: number; seq: number; cmdId: string; hash: string };

const LINKS = `
SELECT id, seq, cmd_id AS "cmdId", encode(hash, 'hex') AS hash FROM account_log WHERE user_id = ? AND seq BETWEEN ? AND ?`;

import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { getCommand } from '@yiqiao/contracts/operator/accounts';
import { Refusal } from '@yiqiao/domain/errors';
import { entryTypeOf, type EntryType } from '@yiqiao/domain/ledger';
import { Clock } from '../../platform/clock.js';
import { nameColumns, shownName, type Named } from './names.js';
import { momentOf } from './read-states.js';

export type CommandEntries = Answer<typeof getCommand>['entries'];

export class GetCommand extends Query<{ entries: CommandEntries }> {
  constructor(
    readonly cmdId: string,
    readonly language: Language,
  ) {
    super();
  }
}

/** What a command wrote, to go to its moment (operators §6). */
@QueryHandler(GetCommand)
export class GetCommandHandler implements IQueryHandler<GetCommand> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async execute({ cmdId, language }: GetCommand): Promise<{ entries: CommandEntries }> {
    const entries = await commandEntries(this.em.fork(), cmdId, { language, clock: this.clock });
    if (entries.length === 0) throw new Refusal('NOT_FOUND');
    return { entries };
  }
}

/** The entries of a command, the main account's first. */
export async function commandEntries(
  em: EntityManager,
  cmdId: string,
  { language, clock }: { language: Language; clock: Clock },
): Promise<CommandEntries> {
  const rows = await em.execute<Row[]>(ENTRIES, [cmdId]);
  return rows.map(({ type, ms, name, lastName, ...row }) => ({
    ...row,
    entryId: Number(row.entryId),
    name: shownName({ userId: row.userId, name, lastName }, language),
    logType: entryTypeOf(type) ?? (`unknown type ${type}` as EntryType),
    moment: momentOf(clock, ms),
  }));
}

type Row = Named & Omit<CommandEntries[number], 'name' | 'logType' | 'moment'> & { type: number; ms: number };

const ENTRIES = `
SELECT e.id AS "entryId", e.user_id AS "userId", e.seq, e.log_type AS type, (date_part('epoch', e.created_at) * 1000)::bigint AS ms,
  e.char_change AS "charChangeNum", e.voice_change AS "voiceChangeNum", e.image_change AS "imageChangeNum",
  e.before_char AS "beforeCharNum", e.last_char AS "lastCharNum", ${nameColumns('e.user_id')}
FROM account_log e WHERE e.cmd_id = ? ORDER BY e.user_id <> e.family_id, e.user_id`;

import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { listFamilyMoves } from '@yiqiao/contracts/operator/families';
import { ENTRY_TYPES, type Quota } from '@yiqiao/domain/ledger';
import { Clock } from '../../platform/clock.js';
import { ordinalRange } from '../log/ordinal-range.js';
import { familyIdOf } from './family.js';
import { nameColumns, shownName, type Named } from './names.js';
import { momentOf } from './read-states.js';

type Moves = Answer<typeof listFamilyMoves>;

export class ListFamilyMoves extends Query<Moves> {
  constructor(
    readonly request: Input<typeof listFamilyMoves>,
    readonly language: Language,
  ) {
    super();
  }
}

/** What the members of a family gave each other, both sides of every command (operators §6). */
@QueryHandler(ListFamilyMoves)
export class ListFamilyMovesHandler implements IQueryHandler<ListFamilyMoves> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async execute({ request: { userId, from, at, limit }, language }: ListFamilyMoves): Promise<Moves> {
    const em = this.em.fork();
    const familyId = await familyIdOf(em, userId);
    const within = { numbering: { of: 'entries' }, ...this.clock.between(from, at) } as const;
    const { lo, hi } = await ordinalRange(em, familyId, within);
    const rows = await em.execute<Row[]>(MOVES, [familyId, lo, hi, limit]);
    return {
      rows: rows.map(({ id, ms, cmdId, isAuto, type, ...row }) => {
        const [main, other] = [sideOf(row.main, language), sideOf(row.other, language)];
        const isGift = mainGave(row);
        const [gave, got] = isGift ? [main, other] : [other, main];
        // Distribution takes back as well, with the same type.
        const isRecovery = type === ENTRY_TYPES.RECOVERY.code || !isGift;
        return {
          entryId: Number(id),
          moment: momentOf(this.clock, ms),
          cmdId,
          kind: isRecovery ? 'recovery' : isAuto ? 'automatic' : 'byHand',
          from: gave,
          to: got,
          charNum: Math.abs(row.charNum),
          voiceNum: Math.abs(row.voiceNum),
          imageNum: Math.abs(row.imageNum),
          equal: row.equal,
        };
      }),
    };
  }
}

/** Whether the main account gave: of a movement in both directions its characters decide, then voice. */
const mainGave = ({ charNum, voiceNum, imageNum }: Quota): boolean => (charNum || voiceNum || imageNum) < 0;

type Side = Named & { seq: number; before: number; last: number };

const sideOf = ({ lastName, ...side }: Side, language: Language): Moves['rows'][number]['from'] => ({
  ...side,
  name: shownName({ ...side, lastName }, language),
});

type Row = {
  id: number;
  ms: number;
  cmdId: string;
  isAuto: boolean;
  type: number;
  main: Side;
  other: Side;
  charNum: number;
  voiceNum: number;
  imageNum: number;
  equal: boolean;
};

const SIDE = (of: string): string => `(SELECT to_json(side) FROM (
  SELECT ${of}.user_id AS "userId", ${of}.seq, ${of}.before_char AS before, ${of}.last_char AS last, ${nameColumns(`${of}.user_id`)}
) AS side)`;

// The types that the partial index account_log_moved leaves out are named, so that the planner uses it.
const MOVES = `
SELECT e.id, (date_part('epoch', e.created_at) * 1000)::bigint AS ms, e.cmd_id AS "cmdId", e.log_type AS type,
  e.consume_tran_channel_id IS NOT NULL AS "isAuto", ${SIDE('e')} AS main, ${SIDE('o')} AS other,
  e.char_change AS "charNum", e.voice_change AS "voiceNum", e.image_change AS "imageNum",
  e.char_change + o.char_change = 0 AND e.voice_change + o.voice_change = 0 AND e.image_change + o.image_change = 0 AS equal
FROM account_log e JOIN account_log o ON o.cmd_id = e.cmd_id AND o.user_id = e.counterpart_id
WHERE e.user_id = ? AND e.log_type IN (${ENTRY_TYPES.DISTRIBUTION.code}, ${ENTRY_TYPES.RECOVERY.code})
  AND e.log_type NOT IN (1, 7, 8, 9, 10) AND e.seq BETWEEN ? AND ?
ORDER BY e.seq DESC LIMIT ?`;

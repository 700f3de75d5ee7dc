import { EntityManager, IsolationLevel } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { getSources } from '@yiqiao/contracts/operator/members';
import { Refusal } from '@yiqiao/domain/errors';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { archivedOf } from '../../ledger/rows/archived.js';
import { AccountBlocks } from '../../ledger/time-machine/account-blocks.js';
import { readParts } from '../../ledger/time-machine/get-difference.js';
import { type AccountStateView, readState } from '../../ledger/time-machine/read-states.js';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';

type Sources = Answer<typeof getSources>;
type Part = Sources['parts'][number];
type Quantities = Sources['now'];

export class GetSources extends Query<Sources> {
  constructor(
    readonly userId: number,
    readonly language: Language,
  ) {
    super();
  }
}

/** Where a balance comes from: what there was before the last recharge, and the sum of each cause since, up to the balance itself. */
@QueryHandler(GetSources)
export class GetSourcesHandler implements IQueryHandler<GetSources> {
  constructor(
    private readonly em: EntityManager,
    private readonly blocks: AccountBlocks,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async execute({ userId, language }: GetSources): Promise<Sources> {
    await this.blocks.catchUp(userId);
    // One snapshot: an entry that is written meanwhile must not look like a difference.
    return this.em.fork().transactional(
      async (em) => {
        const [account] = await em.execute<(Quantities & { upto: number })[]>(ACCOUNT, [userId]);
        if (!account) throw new Refusal('NOT_FOUND');
        const { upto, ...balance } = account;
        const [recharge] = await em.execute<{ seq: number; at: Date }[]>(LAST_RECHARGE, [userId]);
        // What was before the archive is one sum, like what was before the recharge.
        const archived = await archivedOf(em, userId);
        const after = Math.max(recharge ? recharge.seq - 1 : 0, archived?.seq ?? 0);
        const since = archived && archived.seq >= (recharge?.seq ?? 0) ? archived.at : (recharge?.at ?? null);
        const before = quantitiesOf(await readState(em, { userId, seq: after }, { clock: this.clock, language }));
        const span = { userId, after, upto, zone: this.config.env.APP_TIMEZONE };
        const parts = grouped(await readParts(em, span, language));
        const now = parts.reduce(plus, before);
        return {
          since: since && this.clock.toWire(since),
          fromSeq: after + 1,
          toSeq: upto,
          before,
          parts,
          now,
          difference: {
            charNum: balance.charNum - now.charNum,
            voiceNum: balance.voiceNum - now.voiceNum,
            imageNum: balance.imageNum - now.imageNum,
          },
        };
      },
      { isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true },
    );
  }
}

const quantitiesOf = ({ charNum, voiceNum, imageNum }: AccountStateView): Quantities => ({
  charNum,
  voiceNum,
  imageNum,
});

const plus = (sum: Quantities, part: Quantities): Quantities => ({
  charNum: sum.charNum + part.charNum,
  voiceNum: sum.voiceNum + part.voiceNum,
  imageNum: sum.imageNum + part.imageNum,
});

/** One part for each type and direction; it has a label when it has one cause that is not a day. */
function grouped(parts: Awaited<ReturnType<typeof readParts>>): Part[] {
  const groups = new Map<string, Part>();
  for (const { type, cause, entries, charNum, voiceNum, imageNum } of parts) {
    const quantities = { charNum, voiceNum, imageNum };
    const direction = directionOf(quantities);
    const key = `${type} ${direction}`;
    const known = groups.get(key);
    const label = cause.kind === 'day' || cause.kind === 'entry' ? null : cause.label;
    if (known) groups.set(key, { ...known, ...plus(known, quantities), entries: known.entries + entries, label: null });
    else groups.set(key, { type, direction, label, entries, ...quantities });
  }
  // The recharge that the list begins with comes first.
  const isRecharge = ({ type }: Part): number => (type === 'RECHARGE_ORDER_BY_MEMBER_GROUP' ? 0 : 1);
  return [...groups.values()].sort((a, b) => isRecharge(a) - isRecharge(b));
}

function directionOf({ charNum, voiceNum, imageNum }: Quantities): Part['direction'] {
  const first = [charNum, voiceNum, imageNum].find((n) => n !== 0) ?? 0;
  if (first === 0) return 'none';
  return first > 0 ? 'in' : 'out';
}

const ACCOUNT = `
SELECT entry_seq AS upto, usable_char_num AS "charNum", usable_voice_num AS "voiceNum", usable_image_num AS "imageNum"
FROM member_account WHERE user_id = ?`;

// By the index of each type's numbers.
const LAST_RECHARGE = `
SELECT seq, created_at AS at FROM account_log
WHERE user_id = ? AND log_type = ${ENTRY_TYPES.RECHARGE_ORDER_BY_MEMBER_GROUP.code} ORDER BY type_seq DESC LIMIT 1`;

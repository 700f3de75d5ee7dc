import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { changeLimits, getLimits } from '@yiqiao/contracts/operator/requests';
import { ActionLog, type Actor } from '../action-log.js';
import { OperatorLimits } from '../operator.entity.js';

type Limits = Answer<typeof getLimits>;

/** What one operator may give without a second one; `amount`, its value, in fen. */
export async function readLimits(em: EntityManager, lockMode = LockMode.NONE): Promise<Limits> {
  const row = await em.findOneOrFail(OperatorLimits, { id: 1 }, { lockMode, disableIdentityMap: true });
  return { charNum: row.charNum, voiceNum: row.voiceNum, imageNum: row.imageNum, amount: row.amount };
}

export class ChangeLimits extends Command<Limits> {
  constructor(
    readonly change: Input<typeof changeLimits>,
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(ChangeLimits)
export class ChangeLimitsHandler implements ICommandHandler<ChangeLimits> {
  constructor(
    private readonly em: EntityManager,
    private readonly actions: ActionLog,
  ) {}

  execute({ change: { charNum, voiceNum, imageNum, amount, reason }, actor }: ChangeLimits): Promise<Limits> {
    return this.em.fork().transactional(async (em) => {
      const before = await readLimits(em, LockMode.PESSIMISTIC_WRITE);
      const after: Limits = { charNum, voiceNum, imageNum, amount };
      const changed = (Object.keys(after) as (keyof Limits)[]).filter((name) => before[name] !== after[name]);
      if (changed.length === 0) return after;
      await em.nativeUpdate(OperatorLimits, { id: 1 }, after);
      const only = (limits: Limits): object => Object.fromEntries(changed.map((name) => [name, limits[name]]));
      await this.actions.record(em, actor, {
        action: 'limits.change',
        before: only(before),
        after: only(after),
        reason,
      });
      return after;
    });
  }
}

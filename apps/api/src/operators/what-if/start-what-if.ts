import { EntityManager, raw } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Input } from '@yiqiao/contracts/endpoint';
import type { startWhatIf } from '@yiqiao/contracts/operator/what-if';
import { Refusal } from '@yiqiao/domain/errors';
import { requireInDatabase } from '../../ledger/rows/archived.js';
import { Clock } from '../../platform/clock.js';
import { lockKey } from '../../platform/database.js';
import { Live } from '../../platform/live.js';
import { Outbox } from '../../platform/outbox.js';
import { MemberGroup } from '../../plans/member-group.entity.js';
import { ActionLog, type Actor } from '../action-log.js';
import { tellOperators } from '../operator-streams.js';
import { WhatIf } from './what-if.entity.js';

const targetOf = (id: number): { kind: string; id: string } => ({ kind: 'whatIf', id: String(id) });

/** Has the worker replay a time under other prices (operators §8). Returns the run. Throws NOT_FOUND for an unknown plan. */
export class StartWhatIf extends Command<{ id: number }> {
  constructor(
    readonly asked: Input<typeof startWhatIf>,
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(StartWhatIf)
export class StartWhatIfHandler implements ICommandHandler<StartWhatIf> {
  constructor(
    private readonly em: EntityManager,
    private readonly actions: ActionLog,
    private readonly outbox: Outbox,
    private readonly live: Live,
    private readonly clock: Clock,
  ) {}

  async execute({ asked: { from, to, changes }, actor }: StartWhatIf): Promise<{ id: number }> {
    const fromAt = this.clock.fromWire(from);
    // What is not written yet would make a run that goes on later differ from its beginning.
    const end = Math.min(this.clock.fromWire(to).getTime() + 1_000, this.clock.now().getTime());
    const toAt = new Date(Math.max(fromAt.getTime(), end));
    const id = await this.em.fork().transactional(async (em) => {
      await requireInDatabase(em, { whose: 'all', at: fromAt }, this.clock);
      const plans = Object.keys(changes.plans).map(Number);
      if ((await em.count(MemberGroup, { id: { $in: plans } })) < plans.length) throw new Refusal('NOT_FOUND');
      const made = await em.insert(WhatIf, { fromAt, toAt, changes, startedBy: actor.actor });
      await this.outbox.record(em, { type: 'WhatIfRequested', whatIfId: made });
      await this.actions.record(em, actor, {
        action: 'whatIf.start',
        target: targetOf(made),
        after: { from, to, changes },
      });
      return made;
    });
    await tellOperators(this.live, 'whatIf', { id });
    return { id };
  }
}

/** Stops a run; it can be resumed. Throws NOT_FOUND, WHAT_IF_OVER. */
export class CancelWhatIf extends Command<void> {
  constructor(
    readonly id: number,
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(CancelWhatIf)
export class CancelWhatIfHandler implements ICommandHandler<CancelWhatIf> {
  constructor(
    private readonly em: EntityManager,
    private readonly actions: ActionLog,
    private readonly live: Live,
  ) {}

  async execute({ id, actor }: CancelWhatIf): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      if (!(await em.findOne(WhatIf, { id }))) throw new Refusal('NOT_FOUND');
      // The process that works on it looks every second whether it still runs.
      const change = { state: 'cancelled' as const, finishedAt: raw<Date>('clock_timestamp()') };
      if ((await em.nativeUpdate(WhatIf, { id, finishedAt: null }, change)) === 0) throw new Refusal('WHAT_IF_OVER');
      await this.actions.record(em, actor, { action: 'whatIf.cancel', target: targetOf(id) });
    });
    await tellOperators(this.live, 'whatIf', { id });
  }
}

/** Goes on behind the last family that the run has replayed. Throws NOT_FOUND, WHAT_IF_NOT_STOPPED. */
export class ResumeWhatIf extends Command<void> {
  constructor(
    readonly id: number,
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(ResumeWhatIf)
export class ResumeWhatIfHandler implements ICommandHandler<ResumeWhatIf> {
  constructor(
    private readonly em: EntityManager,
    private readonly actions: ActionLog,
    private readonly outbox: Outbox,
    private readonly live: Live,
  ) {}

  async execute({ id, actor }: ResumeWhatIf): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      await lockKey(em, `what-if ${id}`);
      const run = await em.findOne(WhatIf, { id });
      if (!run) throw new Refusal('NOT_FOUND');
      if (run.state !== 'cancelled' && run.state !== 'failed') throw new Refusal('WHAT_IF_NOT_STOPPED');
      await em.nativeUpdate(WhatIf, { id }, { state: 'waiting', finishedAt: null });
      await this.outbox.record(em, { type: 'WhatIfRequested', whatIfId: id });
      await this.actions.record(em, actor, { action: 'whatIf.resume', target: targetOf(id) });
    });
    await tellOperators(this.live, 'whatIf', { id });
  }
}

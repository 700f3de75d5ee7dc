import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Live } from '../../platform/live.js';
import { serializeError } from '../../platform/logger.js';
import { ActionLog } from '../action-log.js';
import { OperatorRequest } from '../operator.entity.js';
import { tellOperators } from '../operator-streams.js';

/** Ends the requests that nobody decided in time, in the transaction of `em`; true if there were any. */
async function lapseRequests(em: EntityManager, actions: ActionLog, now: Date): Promise<boolean> {
  const late = await em.find(
    OperatorRequest,
    { state: 'open', expiresAt: { $lte: now } },
    { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE, disableIdentityMap: true },
  );
  for (const { id, kind, targetKind, targetId } of late) {
    await em.nativeUpdate(OperatorRequest, { id, state: 'open' }, { state: 'lapsed', decidedAt: now });
    await actions.record(
      em,
      { actor: 'system' },
      { action: 'request.lapse', target: { kind: targetKind, id: targetId }, after: { kind }, approvalId: id },
    );
  }
  return late.length > 0;
}

/** Ends what is late, before requests are read, made or decided. */
@Injectable()
export class LateRequests {
  constructor(
    private readonly em: EntityManager,
    private readonly actions: ActionLog,
    private readonly live: Live,
    private readonly clock: Clock,
  ) {}

  async end(): Promise<void> {
    const em = this.em.fork();
    const some = await em.transactional((inner) => lapseRequests(inner, this.actions, this.clock.now()));
    if (some) await tellOperators(this.live, 'requests', {});
  }
}

const EVERY_MS = 60_000;

/** Here rather than in the worker: its role in the database can neither read requests nor write the action log. */
@Injectable()
export class LapseJob implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #log = new Logger('LapseJob');
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly late: LateRequests) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => void this.#tick(), EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  async #tick(): Promise<void> {
    try {
      await this.late.end();
    } catch (error) {
      this.#log.warn({ msg: 'requests could not lapse', error: serializeError(error) });
    }
  }
}

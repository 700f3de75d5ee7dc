import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { askGateway } from '@yiqiao/contracts/operator/payments';
import { Refusal } from '@yiqiao/domain/errors';
import { ListExceptions } from '../../orders/orders.js';
import { RechargeOrder } from '../../orders/recharge-order.entity.js';
import { Clock } from '../../platform/clock.js';
import { ActionLog, type Actor } from '../action-log.js';
import { findingsOf, type Log, OrderComparison } from './compare-order.js';
import { markClosed } from './keep-differences.js';
import { PaymentDifference } from './reconciliation.entity.js';

/** Ends a difference that somebody has explained. Throws NOT_FOUND, DIFFERENCE_CLOSED. */
export class CloseDifference extends Command<void> {
  constructor(
    readonly id: number,
    readonly reason: string,
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(CloseDifference)
export class CloseDifferenceHandler implements ICommandHandler<CloseDifference> {
  constructor(
    private readonly em: EntityManager,
    private readonly actions: ActionLog,
    private readonly clock: Clock,
  ) {}

  execute({ id, reason, actor }: CloseDifference): Promise<void> {
    return this.em.fork().transactional(async (em) => {
      const options = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true } as const;
      const found = await em.findOne(PaymentDifference, { id }, options);
      if (!found) throw new Refusal('NOT_FOUND');
      if (found.closedAt) throw new Refusal('DIFFERENCE_CLOSED');
      await markClosed(em, [id], { how: 'reason', by: actor.actor, at: this.clock.now(), reason });
      const { what, orderNo, tradeNo, expected, found: there } = found;
      await this.actions.record(em, actor, {
        action: 'difference.close',
        target: { kind: 'difference', id: String(id) },
        after: { what, orderNo, tradeNo, here: expected, there },
        reason,
      });
    });
  }
}

/** Ends an exception that needs nothing any more. Throws EXCEPTION_GONE. */
export class CloseException extends Command<void> {
  constructor(
    readonly key: string,
    readonly reason: string,
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(CloseException)
export class CloseExceptionHandler implements ICommandHandler<CloseException> {
  constructor(
    private readonly em: EntityManager,
    private readonly queries: QueryBus,
    private readonly actions: ActionLog,
    private readonly clock: Clock,
  ) {}

  async execute({ key, reason, actor }: CloseException): Promise<void> {
    const found = (await this.queries.execute(new ListExceptions())).find((each) => each.key === key);
    if (!found) throw new Refusal('EXCEPTION_GONE');
    const { what, orderNo, tradeNo, amount } = found;
    await this.em.fork().transactional(async (em) => {
      // Raw: nothing reads it but the list of exceptions.
      await em.execute(
        `INSERT INTO payment_exception_closing (key, what, order_no, reason, closed_by, closed_at) VALUES (?, ?, ?, ?, ?, ?)`,
        [key, what, orderNo, reason, actor.actor, this.clock.now()],
      );
      await this.actions.record(em, actor, {
        action: 'exception.close',
        target: orderNo === null ? { kind: 'exception', id: key } : { kind: 'order', id: orderNo },
        after: { key, what, tradeNo, amount },
        reason,
      });
    });
  }
}

type Asked = Answer<typeof askGateway>;

/** Has an order settled as its gateway says, and closes what that settles. Throws NOT_FOUND. */
export class AskGateway extends Command<Asked> {
  constructor(
    readonly no: string,
    readonly mode: 'settle' | 'close',
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(AskGateway)
export class AskGatewayHandler implements ICommandHandler<AskGateway> {
  constructor(
    private readonly em: EntityManager,
    private readonly orders: OrderComparison,
    private readonly actions: ActionLog,
    private readonly clock: Clock,
  ) {}

  async execute({ no, mode, actor }: AskGateway): Promise<Asked> {
    const found = await this.em.fork().findOne(RechargeOrder, { no });
    if (!found) throw new Refusal('NOT_FOUND');
    const log: Log = (em, change) => this.actions.record(em, actor, change);
    const order = await this.orders.compare(found.id, mode, log);
    const { gatewayState, gatewayAmount, payStatus, mended: credited } = order;
    await this.em.fork().transactional(async (em) => {
      const closed = await this.#closeSettled(
        em,
        { no, left: new Set(findingsOf(order).map(({ what }) => what)) },
        actor,
      );
      await this.actions.record(em, actor, {
        action: 'payment.askGateway',
        target: { kind: 'order', id: no },
        before: { payStatus: found.payStatus },
        after: { mode, gatewayState, payStatus, credited, ...(closed.length > 0 ? { closed } : {}) },
      });
    });
    return { gatewayState, gatewayAmount, payStatus, credited };
  }

  /** Only what this question answers: whether it is paid, and whether it is closed. */
  async #closeSettled(em: EntityManager, { no, left }: { no: string; left: Set<string> }, { actor }: Actor) {
    if (left.has('unanswered')) return [];
    const what = (['missingHere', 'unanswered', 'stillOpen', 'notClosed'] as const).filter((each) => !left.has(each));
    const open = await em.find(PaymentDifference, { orderNo: no, closedAt: null, what: { $in: what } });
    const ids = open.filter(({ kind }) => kind === 'payment').map(({ id }) => id);
    if (ids.length > 0) await markClosed(em, ids, { how: 'settled', by: actor, at: this.clock.now() });
    return ids;
  }
}

import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import { type listTasks, TASK_KINDS } from '@yiqiao/contracts/operator/today';
import { mayDo } from '@yiqiao/domain/operators';
import { ListExceptions } from '../../orders/orders.js';
import { EXCEPTIONS } from '../../orders/payments-texts.js';
import { Clock } from '../../platform/clock.js';
import type { CurrentOperator } from '../operator-sessions.js';
import { ListRequests } from '../requests/read-requests.js';
import { ListVendorAccounts } from '../vendors/list-vendor-accounts.js';
import { vendorTasks } from './vendor-tasks.js';

type Tasks = Answer<typeof listTasks>;
type Task = Tasks['tasks'][number];

export class ListTasks extends Query<Tasks> {
  constructor(
    readonly operator: CurrentOperator,
    readonly language: Language,
  ) {
    super();
  }
}

const MOST = 50;
const REQUESTS_MAX = 100;

/** A deadline first, then money, then age; only what the operator's role may do. */
const byUrgency = (a: Task, b: Task): number =>
  (a.leftSeconds ?? Infinity) - (b.leftSeconds ?? Infinity) ||
  (b.amount ?? 0) - (a.amount ?? 0) ||
  b.waitedSeconds - a.waitedSeconds;

@QueryHandler(ListTasks)
export class ListTasksHandler implements IQueryHandler<ListTasks> {
  constructor(
    private readonly em: EntityManager,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  async execute({ operator, language }: ListTasks): Promise<Tasks> {
    const parts = await Promise.all([
      this.#requests(operator, language),
      mayDo(operator.role, 'payment.closeException') ? this.#payments(language) : [],
      mayDo(operator.role, 'vendorAccount.change') ? this.#vendors(language) : [],
      mayDo(operator.role, 'quota.adjust') ? this.#waiting('inviteReward', INVITE_REWARDS, language) : [],
      mayDo(operator.role, 'payment.settle') ? this.#waiting('invoice', INVOICES, language) : [],
    ]);
    // NaN is the difference of two absent deadlines.
    const tasks = parts.flat().sort((a, b) => byUrgency(a, b) || 0);
    return {
      total: tasks.length,
      amount: tasks.reduce((sum, { amount }) => sum + (amount ?? 0), 0),
      kinds: Object.fromEntries(
        TASK_KINDS.map((kind) => [kind, tasks.filter((task) => task.kind === kind).length] as const).filter(
          ([, n]) => n > 0,
        ),
      ),
      tasks: tasks.slice(0, MOST),
    };
  }

  async #requests(operator: CurrentOperator, language: Language): Promise<Task[]> {
    const filter = { scope: 'forMe', state: 'open', pageNum: 1, pageSize: REQUESTS_MAX } as const;
    const { rows } = await this.queries.execute(
      new ListRequests({ ...filter, kind: undefined, target: undefined }, operator),
    );
    return rows.map(({ id, title, subject, amount, maker, reason, madeAt, waitedSeconds, leftSeconds }) => ({
      kind: 'request',
      id: String(id),
      what: null,
      ref: String(id),
      title: title[language],
      note: [subject?.[language], `${maker}: ${reason}`].filter(Boolean).join(' · '),
      amount,
      since: madeAt,
      waitedSeconds,
      leftSeconds,
    }));
  }

  async #payments(language: Language): Promise<Task[]> {
    const found = await this.queries.execute(new ListExceptions());
    return found.map(({ what, at, orderNo, userId, member, paymentId, tradeNo, amount, why }) => ({
      kind: 'payment',
      id: [what, paymentId ?? tradeNo ?? orderNo ?? at.getTime()].join('-'),
      what,
      ref: userId === null ? null : orderNo,
      title: EXCEPTIONS[what].is[language],
      note: [member, orderNo ?? tradeNo, why].filter(Boolean).join(' · ') || null,
      amount,
      since: this.clock.toWire(at),
      waitedSeconds: this.#secondsSince(at),
      leftSeconds: null,
    }));
  }

  async #vendors(language: Language): Promise<Task[]> {
    const { channels } = await this.queries.execute(new ListVendorAccounts(language));
    return vendorTasks(channels, { clock: this.clock, language });
  }

  /** One line for all that wait, with the age of the oldest. */
  async #waiting(kind: 'inviteReward' | 'invoice', sql: string, language: Language): Promise<Task[]> {
    const [row] = await this.em.fork().execute<{ n: number; amount: number | null; oldest: Date | null }[]>(sql);
    if (!row?.oldest) return [];
    return [
      {
        kind,
        id: kind,
        what: null,
        ref: null,
        title: WAITING[kind][language](row.n),
        note: null,
        amount: row.amount,
        since: this.clock.toWire(row.oldest),
        waitedSeconds: this.#secondsSince(row.oldest),
        leftSeconds: null,
      },
    ];
  }

  #secondsSince(at: Date): number {
    return Math.max(0, Math.floor((this.clock.now().getTime() - at.getTime()) / 1000));
  }
}

const WAITING = {
  inviteReward: {
    zh: (n: number) => `${n} 个邀请奖励等着核对`,
    en: (n: number) => (n === 1 ? '1 invite reward waits for a check' : `${n} invite rewards wait for a check`),
  },
  invoice: {
    zh: (n: number) => `${n} 张发票等着开具`,
    en: (n: number) => (n === 1 ? '1 invoice waits to be issued' : `${n} invoices wait to be issued`),
  },
};

const INVITE_REWARDS = `
SELECT count(*)::int AS n, NULL::float8 AS amount, min(held_at) AS oldest FROM invite_hold WHERE decision IS NULL`;
const INVOICES = `
SELECT count(*)::int AS n, sum(amount)::float8 AS amount, min(requested_at) AS oldest FROM invoice_request WHERE state = 'requested'`;

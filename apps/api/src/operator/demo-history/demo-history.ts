import { EntityManager, raw } from '@mikro-orm/postgresql';
import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { DAY_MS } from '@yiqiao/domain/limits';
import { CloseLedger } from '../../ledger/closes/close-ledger.js';
import { BuildAccountBlocks } from '../../ledger/time-machine/account-blocks.js';
import { RollUpUsage } from '../../ledger/usage/usage-roll-up.js';
import { Distribute } from '../../members/distribute.js';
import { type Member, Members } from '../../members/members.js';
import { SaveChildUser } from '../../members/save-child-user.js';
import { ChangeEnabled } from '../../members/sub-account-settings.js';
import { CancelOrder } from '../../orders/cancel-order.js';
import { FlushOrder } from '../../orders/flush-order.js';
import { ExecuteRefund } from '../../orders/orders.js';
import { Payment } from '../../orders/payments.js';
import { PlaceOrder } from '../../orders/place-order.js';
import { TimeOutOrder } from '../../orders/time-out-order.js';
import { Clock } from '../../platform/clock.js';
import { OutboxEvent } from '../../platform/outbox.js';
import { StartAuditRun } from '../../operators/audits/audit-runs.js';
import { OutgoingMail } from '../../platform/outgoing-mail.js';
import { TranslateText } from '../../translation/translate-text.js';
import { accountAdjust } from '../account-adjust.js';
import { DEMO, demoPassword, makeDemoMain, ORDER_CHANNEL, payAtSandbox, sandboxOf } from '../demo.js';
import type { Operator } from '../operator-app.js';
import { paymentsRefund } from '../payments-refund.js';
import { type SetClock, setSandboxClock } from './set-clock.js';
import { ADJUSTMENTS, FIRST_DAY, INTERN, type Order, ORDERS, SUB_ACCOUNTS, type SubAccount } from './story.js';
import { ANSWERS, between, listing, MISTAKEN, pick, QUESTIONS, seededRandom, UNUSUAL } from './texts.js';

type Step = { at: Date; run: () => Promise<void> };
/** Somebody who translates. */
type Translator = { userId: number; client: SubAccount['client']; ip: string };
type Texts = { source: string; target: string; text: string | string[] };

/** Who pastes Japanese as Chinese, and how often. */
const MISTAKES: Readonly<Record<string, number>> = { demo日韩: 0.12, main: 0.08 };

const SYSTEM = { actor: 'system' };

/** A gateway pays and answers so long after an order was placed. */
const PAID_AFTER_MS = 48_000;
const EXPIRED_AFTER_MS = 16 * 60_000;

/**
 * Two months of the demo family, day by day under a clock that is set: every step is an ordinary command at its time, and the sandbox’s
 * gateway is at the same time. On a database without members; does nothing without the sandbox’s gateway. Returns whether it was made.
 */
export async function makeDemoHistory(app: INestApplicationContext, clock: SetClock): Promise<boolean> {
  const sandbox = await sandboxOf(app);
  if (sandbox === null) return false;
  const product = app.get(Clock);
  const days = product.lastDays(FIRST_DAY + 1);
  const end = product.now();
  product.now = () => clock.at;
  const moveTo = async (at: Date | null): Promise<void> => {
    if (at) await clock.moveTo(at);
    await setSandboxClock(sandbox, at);
  };
  try {
    const at = (day: number, time: string): Date => product.fromWire(`${days[day]} ${time}`);
    const story = new DemoStory(app, { sandbox, at, moveTo });
    await moveTo(at(0, '10:24:00'));
    await story.begin();
    for (const day of days.keys())
      for (const step of story.dayOf(day).sort((a, b) => a.at.getTime() - b.at.getTime())) {
        if (step.at >= end) break;
        await clock.moveTo(step.at);
        await step.run();
      }
    await clock.moveTo(end);
    await closePast(app);
  } finally {
    await setSandboxClock(sandbox, null);
    product.now = () => new Date();
  }
  return true;
}

/** What the worker would have done at its time; mail of the past would only surprise. The audit waits for it. */
async function closePast(app: INestApplicationContext): Promise<void> {
  const em = app.get(EntityManager).fork();
  await em.nativeUpdate(OutboxEvent, { doneAt: null }, { relayedAt: raw('now()'), doneAt: raw('now()') });
  await em.nativeDelete(OutgoingMail, { sentAt: null });
  const commands = app.get(CommandBus);
  await commands.execute(new RollUpUsage());
  await commands.execute(new BuildAccountBlocks());
  await commands.execute(new StartAuditRun({ scope: 'all', depth: 'full' }, SYSTEM));
}

type Stage = {
  sandbox: string;
  at: (day: number, time: string) => Date;
  /** Moves every clock; the gateway's is only needed around orders. */
  moveTo: (at: Date) => Promise<void>;
};

class DemoStory {
  readonly #random = seededRandom(20_260_901);
  readonly #commands: CommandBus;
  readonly #operator: Operator;
  readonly #children = new Map<string, number>();
  #main!: Member;

  constructor(
    private readonly app: INestApplicationContext,
    private readonly stage: Stage,
  ) {
    this.#commands = app.get(CommandBus);
    this.#operator = { app, language: 'zh', print: () => undefined };
  }

  async begin(): Promise<void> {
    this.#main = await makeDemoMain(this.app);
  }

  /** Everything that happens on a day, in no order. */
  dayOf(day: number): Step[] {
    const { at } = this.stage;
    return [
      ...ORDERS.filter((order) => order.day === day).map((order) => ({
        at: at(day, order.at),
        run: () => this.#order(order),
      })),
      ...ORDERS.filter(({ refund }) => refund?.[0] === day).map((order) => ({
        at: at(day, order.refund?.[1] ?? ''),
        run: () => this.#refund(order),
      })),
      ...ADJUSTMENTS.filter((given) => given.day === day).map(({ give, key, ...given }) => ({
        at: at(day, given.at),
        run: () => this.#adjust([...give, '--key', `demo-${this.#main.id}-${key}`]),
      })),
      ...SUB_ACCOUNTS.flatMap((account, index) => this.#shares(day, account, index)),
      ...(day > 0
        ? [{ at: at(day, '00:10:00'), run: async () => void (await this.#commands.execute(new CloseLedger(SYSTEM))) }]
        : []),
      ...(INTERN.leaves === day ? [{ at: at(day, '18:02:00'), run: () => this.#internLeaves() }] : []),
      ...this.#usage(day),
    ];
  }

  #shares(day: number, account: SubAccount, index: number): Step[] {
    const minute = String(10 + index * 2);
    const later = account.more.filter(([when]) => when === day);
    return [
      ...(account.day === day
        ? [{ at: this.stage.at(day, `09:${minute}:20`), run: () => this.#add(account) }].map(afterOrder)
        : []),
      ...later.map(([, share]) => ({
        at: this.stage.at(day, `09:${minute}:45`),
        run: () => this.#distribute(account.account, share),
      })),
    ];
  }

  /** The family works on most days, less at weekends. */
  #usage(day: number): Step[] {
    const weekday = new Date(this.stage.at(day, '12:00:00')).getUTCDay();
    const isWeekend = weekday === 0 || weekday === 6;
    const works = (): boolean => this.#random() < (isWeekend ? 0.35 : 0.94);
    const steps: Step[] = [];
    if (day === 0)
      steps.push(this.#translate(day, 'main', { ...pair('zh-Hans', 'zh-Hant'), text: listing(this.#random) }));
    else if (works()) {
      steps.push(this.#login(day, 'main'));
      for (let left = between(this.#random, 1, isWeekend ? 2 : 5); left > 0; left--)
        steps.push(this.#translate(day, 'main', this.#descriptions(3, 9)));
      for (let left = between(this.#random, 0, 2); left > 0; left--)
        steps.push(this.#translate(day, 'main', this.#message('main')));
    }
    for (const account of SUB_ACCOUNTS) {
      const isThere = day > account.day && !(account.account === INTERN.account && day >= INTERN.leaves);
      if (!isThere || !works()) continue;
      steps.push(this.#login(day, account.account));
      for (let left = between(this.#random, 1, account.messages); left > 0; left--)
        steps.push(this.#translate(day, account.account, this.#message(account.account)));
      for (let left = between(this.#random, 0, account.batches); left > 0; left--)
        steps.push(this.#translate(day, account.account, this.#descriptions(2, 6)));
    }
    return steps;
  }

  #descriptions(least: number, most: number): Texts {
    const text = Array.from({ length: between(this.#random, least, most) }, () => listing(this.#random));
    return { ...pair('zh-Hans', 'zh-Hant'), text };
  }

  #message(name: string): Texts {
    const chance = this.#random();
    if (chance < (MISTAKES[name] ?? 0)) return { ...pair('zh-Hans', 'zh-Hant'), text: pick(this.#random, MISTAKEN) };
    if (chance < 0.04) return { ...pair('zh-Hans', 'en'), text: pick(this.#random, UNUSUAL) };
    return chance < 0.5
      ? { ...pair('en', 'zh-Hans'), text: pick(this.#random, QUESTIONS) }
      : { ...pair('zh-Hans', 'en'), text: pick(this.#random, ANSWERS) };
  }

  #who(name: string): Translator | null {
    if (name === 'main') return { userId: this.#main.id, client: 'web', ip: '203.0.113.20' };
    const [userId, index] = [this.#children.get(name), SUB_ACCOUNTS.findIndex(({ account }) => account === name)];
    const client = SUB_ACCOUNTS[index]?.client ?? 'web';
    return userId === undefined ? null : { userId, client, ip: `203.0.113.${31 + index}` };
  }

  #time(day: number, from: number, to: number): Date {
    const two = (n: number): string => String(n).padStart(2, '0');
    const [hour, minute, second] = [
      between(this.#random, from, to),
      ...[59, 59].map((n) => between(this.#random, 0, n)),
    ];
    return this.stage.at(day, [hour, minute ?? 0, second ?? 0].map(two).join(':'));
  }

  #login(day: number, name: string): Step {
    const run = async (): Promise<void> => {
      const who = this.#who(name);
      if (!who) return;
      const members = this.app.get(Members);
      await this.app
        .get(EntityManager)
        .fork()
        .transactional(async (em) => {
          const member = await members.lock(em, who.userId);
          if (member) await members.recordLogin(em, member, { ip: who.ip, clientType: who.client });
        });
    };
    return { at: this.#time(day, 8, 8), run };
  }

  #translate(day: number, name: string, texts: Texts): Step {
    const run = async (): Promise<void> => {
      const who = this.#who(name);
      if (!who) return;
      const { userId, client: clientType, ip } = who;
      const { id: familyId } = this.#main;
      const caller = { userId, familyId, isMain: userId === familyId, clientType, sessionDigest: '' };
      const client = { ip, language: 'zh', userAgent: '', requestId: 'demo', idempotencyKey: undefined } as const;
      // A refused text or an empty account is a part of the history.
      await this.#commands.execute(new TranslateText(texts, caller, client)).catch(ignoreRefusal);
    };
    return { at: this.#time(day, 9, 21), run };
  }

  async #add({ account, nickname, share }: SubAccount): Promise<void> {
    const form = { account, nickname, password: demoPassword(this.app), enabled: 1 } as const;
    const { userId } = await this.#commands.execute(new SaveChildUser(this.#main.id, form));
    this.#children.set(account, userId);
    await this.#distribute(account, share);
  }

  async #distribute(
    account: string,
    share: SubAccount['share'],
    all: readonly (keyof typeof share)[] = [],
  ): Promise<void> {
    const userId = this.#children.get(account);
    if (userId === undefined) throw new Error(`${account} has not been added`);
    const of = { mainId: this.#main.id, userId };
    const request = { route: '/user/all/distribution', idempotencyKey: undefined };
    await this.#commands.execute(new Distribute(of, share, request, all));
  }

  async #internLeaves(): Promise<void> {
    const userId = this.#children.get(INTERN.account);
    if (userId === undefined) return;
    await this.#distribute(INTERN.account, { charNum: 0, voiceNum: 0, imageNum: 0 }, ['charNum']);
    await this.#commands.execute(new ChangeEnabled({ mainId: this.#main.id, userId }, 0));
  }

  async #adjust(args: readonly string[]): Promise<void> {
    await accountAdjust([`id:${this.#main.id}`, ...args, '--by', DEMO.manager])(this.#operator);
  }

  async #order({ day, at, plan, ends }: Order): Promise<void> {
    const { stage } = this;
    const begun = stage.at(day, at);
    await stage.moveTo(begun);
    const { id } = this.#main;
    const wish = { memberGroupId: plan, salesNum: 1, payChannel: ORDER_CHANNEL } as const;
    const client = { idempotencyKey: keyOf({ day, plan }) };
    const { orderId, orderNo } = await this.#commands.execute(
      new PlaceOrder(wish, { userId: id, familyId: id }, client),
    );
    await stage.moveTo(new Date(begun.getTime() + (ends === 'expired' ? EXPIRED_AFTER_MS : PAID_AFTER_MS)));
    if (ends === 'cancelled') await this.#commands.execute(new CancelOrder(id, orderId));
    else if (ends === 'expired') await this.#commands.execute(new TimeOutOrder(orderId));
    else {
      await payAtSandbox(stage.sandbox, orderNo);
      await this.#commands.execute(new FlushOrder(id, orderId));
    }
  }

  async #refund({ day, at, refund }: Order): Promise<void> {
    if (!refund) return;
    const { stage } = this;
    const asked = stage.at(refund[0], refund[1]);
    await stage.moveTo(asked);
    const em = this.app.get(EntityManager).fork();
    const paidFrom = stage.at(day, at);
    const paid = { $gte: paidFrom, $lte: new Date(paidFrom.getTime() + DAY_MS) };
    const [payment] = await em.find(Payment, { familyId: this.#main.id, paidAt: paid }, { limit: 1 });
    if (!payment) throw new Error('an order of the history was not paid');
    const [row] = await em.execute<{ no: string }[]>('SELECT no FROM recharge_order WHERE id = ?', [payment.orderId]);
    await paymentsRefund([row?.no ?? '', '--reason', refund[2], '--by', DEMO.manager])(this.#operator);
    // The gateway needs a moment; the worker asks again.
    await stage.moveTo(new Date(asked.getTime() + PAID_AFTER_MS));
    await this.#commands.execute(new ExecuteRefund(payment.id));
  }
}

const keyOf = ({ day, plan }: Pick<Order, 'day' | 'plan'>): string => `history-${day}-${plan}`;
const pair = (source: string, target: string): { source: string; target: string } => ({ source, target });

/** Sub-accounts come with the first package, not before it. */
const afterOrder = (step: Step): Step => ({ ...step, at: new Date(step.at.getTime() + 3_600_000) });

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}

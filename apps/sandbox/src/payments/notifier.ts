import { randomUUID } from 'node:crypto';
import type { PaymentGateway, NotificationMessage } from './gateway.js';
import type { PaymentFaults } from './payment-faults.js';
import type { TradeStore } from './trade-store.js';
import type { GatewayName, Notification, Trade, TradeEvent, DeliveryAttempt } from './trade.js';

/** Maximum delay of setTimeout, in ms. */
const MAX_TIMER_MS = 2_147_483_647;

/** Sends notifications to merchants and retries by each gateway's schedule until they are acknowledged. */
export class Notifier {
  readonly #inFlight = new Map<string, { readonly orderNo: string; readonly done: Promise<void> }>();
  #timer: NodeJS.Timeout | null = null;
  readonly #stop = new AbortController();

  constructor(
    private readonly store: TradeStore,
    private readonly gateways: Readonly<Record<GatewayName, PaymentGateway>>,
    private readonly faults: PaymentFaults,
  ) {}

  /** Resumes pending notifications of an earlier run. */
  start(): void {
    const now = Date.now();
    this.#shiftDueTimes((dueAt) => Math.max(dueAt, now));
    this.#scheduleNext();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    if (this.#timer) clearTimeout(this.#timer);
    await this.#waitInFlight();
  }

  /** Queues the notification of an event, unless a fault withholds it. Null without a notify URL. */
  notify(trade: Trade, event: TradeEvent, refund: Trade['refunds'][number] | null = null): Notification | null {
    const url = refund?.notifyUrl ?? trade.notifyUrl;
    if (url === null) return null;
    const faultPoint = { gateway: trade.gateway, call: 'notify', orderNo: trade.orderNo } as const;
    const never = this.faults.take('never-notify', faultPoint);
    const late = never ? null : this.faults.take('notify-late', faultPoint);
    const now = Date.now();
    const notification: Notification = {
      id: randomUUID(),
      event,
      url,
      refund: refund?.no ?? null,
      createdAt: now,
      dueAt: never ? null : now + (late?.delayMs ?? 0),
      state: never ? 'withheld' : 'pending',
      tries: [],
      turns: 0,
    };
    this.store.change(trade, ({ notifications }) => ({ notifications: [...notifications, notification] }));
    this.#scheduleNext();
    return notification;
  }

  /**
   * Moves time forward by `ms` for one order or all and makes every attempt due by then. Returns the number of attempts once
   * the last has finished.
   */
  async forward(ms: number, orderNo?: string): Promise<number> {
    this.#shiftDueTimes((dueAt) => dueAt - ms, orderNo);
    let sent = 0;
    for (;;) {
      sent += this.#sendDue(orderNo);
      if (!(await this.#waitInFlight(orderNo))) return sent;
    }
  }

  /** Waits for attempts in flight. Returns false when there were none. */
  async #waitInFlight(orderNo?: string): Promise<boolean> {
    const tries = [...this.#inFlight.values()].filter((one) => orderNo === undefined || one.orderNo === orderNo);
    await Promise.all(tries.map(({ done }) => done));
    return tries.length > 0;
  }

  #shiftDueTimes(step: (dueAt: number) => number, orderNo?: string): void {
    for (const trade of this.store.list(orderNo)) {
      if (!trade.notifications.some(isPending)) continue;
      this.store.change(trade, ({ notifications }) => ({
        notifications: notifications.map((one) => (isPending(one) ? { ...one, dueAt: step(one.dueAt) } : one)),
      }));
    }
  }

  #pending(orderNo?: string): { trade: Trade; notification: Pending }[] {
    return this.store
      .list(orderNo)
      .flatMap((trade) => trade.notifications.filter(isPending).map((notification) => ({ trade, notification })))
      .filter(({ notification }) => !this.#inFlight.has(notification.id));
  }

  /** Schedules the next attempt. */
  #scheduleNext(): void {
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#stop.signal.aborted) return;
    const next = Math.min(...this.#pending().map(({ notification }) => notification.dueAt));
    if (next === Infinity) return;
    this.#timer = setTimeout(
      () => {
        this.#sendDue();
        this.#scheduleNext();
      },
      Math.min(Math.max(next - Date.now(), 0), MAX_TIMER_MS),
    );
  }

  /** Returns the number of attempts started. */
  #sendDue(orderNo?: string): number {
    if (this.#stop.signal.aborted) return 0;
    const now = Date.now();
    const due = this.#pending(orderNo).filter(({ notification }) => notification.dueAt <= now);
    for (const { trade, notification } of due) {
      const done = this.#deliver(trade, notification).finally(() => {
        this.#inFlight.delete(notification.id);
        this.#scheduleNext();
      });
      this.#inFlight.set(notification.id, { orderNo: trade.orderNo, done });
    }
    return due.length;
  }

  async #deliver(trade: Trade, notification: Pending): Promise<void> {
    const gateway = this.gateways[trade.gateway];
    const twice = this.faults.take('notify-twice', faultPointOf(trade));
    const tries = await Promise.all(
      (twice ? ['notify-twice', 'notify-twice'] : ['']).map((met) => this.#send(trade, { notification, met })),
    );
    const accepted = tries.some(({ status, answer }) => status !== null && gateway.accepts({ status, body: answer }));
    const gap = gateway.schedule[notification.turns];
    // When stopped mid-attempt, the outcome is unknown and the next run retries. The trade may also have been evicted.
    if (this.#stop.signal.aborted || !this.store.find(trade.gateway, trade.orderNo)) return;
    this.store.change(trade, ({ notifications }) => ({
      notifications: notifications.map((one) => {
        if (one.id !== notification.id) return one;
        const updated = { ...one, tries: [...one.tries, ...tries], turns: one.turns + 1 };
        if (accepted) return { ...updated, dueAt: null, state: 'delivered' };
        // Counts from when this attempt was due, so that a forward step includes all attempts due in it.
        return gap === undefined || one.dueAt === null
          ? { ...updated, dueAt: null, state: 'given-up' }
          : { ...updated, dueAt: one.dueAt + gap * 1000 };
      }),
    }));
  }

  async #send(trade: Trade, { notification, met }: { notification: Pending; met: string }): Promise<DeliveryAttempt> {
    const faultPoint = faultPointOf(trade);
    const wrongAmount = this.faults.take('wrong-amount', faultPoint);
    const wrongSignature = this.faults.take('bad-signature', faultPoint);
    const faults = [met, wrongAmount?.mode, wrongSignature?.mode].filter((mode) => mode);
    const message = this.gateways[trade.gateway].message(trade, notification, {
      amount: trade.amount + (wrongAmount ? 1 : 0),
      signature: wrongSignature ? 'wrong' : 'right',
    });
    const at = Date.now();
    return { at, ...(await postMessage(notification.url, message, this.#stop.signal)), faults: faults as string[] };
  }
}

type Pending = Notification & { readonly dueAt: number };

const isPending = (notification: Notification): notification is Pending =>
  notification.state === 'pending' && notification.dueAt !== null;

const faultPointOf = ({ gateway, orderNo }: Trade) => ({ gateway, call: 'notify', orderNo }) as const;

/** Response timeout of merchants, in ms: the shortest of the gateways. */
const TIMEOUT_MS = 5_000;

/** Maximum characters stored of a response; gateways expect a single word. */
const ANSWER_KEPT = 400;

/** Posts a message to a merchant without following redirects. `status` null: no response in time. */
export async function postMessage(
  url: string,
  message: NotificationMessage,
  stop: AbortSignal,
): Promise<{ readonly status: number | null; readonly answer: string }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: message.headers,
      body: message.body,
      redirect: 'manual',
      signal: AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    return { status: response.status, answer: (await response.text()).slice(0, ANSWER_KEPT) };
  } catch (error) {
    const { message: words, cause } = error as Error;
    return { status: null, answer: cause instanceof Error ? cause.message : words };
  }
}

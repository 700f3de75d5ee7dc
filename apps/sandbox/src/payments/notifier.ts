import { randomUUID } from 'node:crypto';
import type { PaymentGateway, Message } from './gateway.js';
import type { PaymentFaults } from './payment-faults.js';
import type { TradeStore } from './trade-store.js';
import type { GatewayName, Notification, Trade, TradeEvent, Try } from './trade.js';

/** Longest time a timer can be set for, in ms. */
const LONGEST_TIMER = 2_147_483_647;

/** Tells merchants what happened, again and again by the schedule of each gateway, until they answer as it demands. */
export class Notifier {
  readonly #inFlight = new Map<string, { readonly orderNo: string; readonly done: Promise<void> }>();
  #timer: NodeJS.Timeout | null = null;
  readonly #stop = new AbortController();

  constructor(
    private readonly store: TradeStore,
    private readonly gateways: Readonly<Record<GatewayName, PaymentGateway>>,
    private readonly faults: PaymentFaults,
  ) {}

  /** Goes on with what an earlier run left unsaid. */
  start(): void {
    const now = Date.now();
    this.#changeDue((dueAt) => Math.max(dueAt, now));
    this.#wind();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    if (this.#timer) clearTimeout(this.#timer);
    await this.#rest();
  }

  /** Begins to tell the merchant of an event, unless a switch forbids it. Answers the notification; null without an address. */
  announce(trade: Trade, event: TradeEvent, refund: Trade['refunds'][number] | null = null): Notification | null {
    const url = refund?.notifyUrl ?? trade.notifyUrl;
    if (url === null) return null;
    const faultPoint = { gateway: trade.gateway, call: 'notify', orderNo: trade.orderNo } as const;
    const never = this.faults.meet('never-notify', faultPoint);
    const late = never ? null : this.faults.meet('notify-late', faultPoint);
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
    this.#wind();
    return notification;
  }

  /**
   * Sends all that is due `ms` from now, of one order or of all, with the tries that follow in that time. Answers how many were
   * made, once the last of them was answered.
   */
  async forward(ms: number, orderNo?: string): Promise<number> {
    this.#changeDue((dueAt) => dueAt - ms, orderNo);
    let sent = 0;
    for (;;) {
      sent += this.#sendDue(orderNo);
      if (!(await this.#rest(orderNo))) return sent;
    }
  }

  /** Waits for the tries that are under way. Answers false when there were none. */
  async #rest(orderNo?: string): Promise<boolean> {
    const tries = [...this.#inFlight.values()].filter((one) => orderNo === undefined || one.orderNo === orderNo);
    await Promise.all(tries.map(({ done }) => done));
    return tries.length > 0;
  }

  #changeDue(step: (dueAt: number) => number, orderNo?: string): void {
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

  /** Sets the timer to the next try. */
  #wind(): void {
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#stop.signal.aborted) return;
    const next = Math.min(...this.#pending().map(({ notification }) => notification.dueAt));
    if (next === Infinity) return;
    this.#timer = setTimeout(
      () => {
        this.#sendDue();
        this.#wind();
      },
      Math.min(Math.max(next - Date.now(), 0), LONGEST_TIMER),
    );
  }

  /** Answers how many tries were begun. */
  #sendDue(orderNo?: string): number {
    if (this.#stop.signal.aborted) return 0;
    const now = Date.now();
    const due = this.#pending(orderNo).filter(({ notification }) => notification.dueAt <= now);
    for (const { trade, notification } of due) {
      const done = this.#try(trade, notification).finally(() => {
        this.#inFlight.delete(notification.id);
        this.#wind();
      });
      this.#inFlight.set(notification.id, { orderNo: trade.orderNo, done });
    }
    return due.length;
  }

  async #try(trade: Trade, notification: Pending): Promise<void> {
    const gateway = this.gateways[trade.gateway];
    const twice = this.faults.meet('notify-twice', faultPointOf(trade));
    const tries = await Promise.all(
      (twice ? ['notify-twice', 'notify-twice'] : ['']).map((met) => this.#send(trade, { notification, met })),
    );
    const accepted = tries.some(({ status, answer }) => status !== null && gateway.accepts({ status, body: answer }));
    const gap = gateway.schedule[notification.turns];
    // Stopped in the middle, it is not known what the merchant heard: the next run tries again. Or the trade made room.
    if (this.#stop.signal.aborted || !this.store.find(trade.gateway, trade.orderNo)) return;
    this.store.change(trade, ({ notifications }) => ({
      notifications: notifications.map((one) => {
        if (one.id !== notification.id) return one;
        const told = { ...one, tries: [...one.tries, ...tries], turns: one.turns + 1 };
        if (accepted) return { ...told, dueAt: null, state: 'delivered' };
        // The next try counts from when this one was due, so that time let pass holds all tries that belong into it.
        return gap === undefined || one.dueAt === null
          ? { ...told, dueAt: null, state: 'given-up' }
          : { ...told, dueAt: one.dueAt + gap * 1000 };
      }),
    }));
  }

  async #send(trade: Trade, { notification, met }: { notification: Pending; met: string }): Promise<Try> {
    const faultPoint = faultPointOf(trade);
    const wrongAmount = this.faults.meet('wrong-amount', faultPoint);
    const wrongSignature = this.faults.meet('bad-signature', faultPoint);
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

/** Time a merchant has to answer, in ms: the shortest that the gateways demand. */
const TIMEOUT_MS = 5_000;

/** Characters of an answer that are read and kept: a gateway wants one word. */
const ANSWER_KEPT = 400;

/** Posts a message to a merchant. A redirect is an answer like any other: no gateway follows one. `status` null: no answer in time. */
export async function postMessage(
  url: string,
  message: Message,
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

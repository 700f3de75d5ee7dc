import { setTimeout as pause } from 'node:timers/promises';

import type { FastifyReply } from 'fastify';

import { GATEWAYS, type GatewayName } from './trade.js';

export const FAULT_MODES = [
  'none',
  'never-notify',
  'notify-twice',
  'notify-late',
  'wrong-amount',
  'bad-signature',
  'error-5xx',
  'slow',
  'hang',
  'close-connection',
] as const;
export type FaultMode = (typeof FAULT_MODES)[number];

/** The kinds of API calls. */
export const CALLS = ['pay', 'query', 'close', 'refund', 'refund-query', 'certificates'] as const;
export type Call = (typeof CALLS)[number];

/** Where a wrong amount or signature is injected: notifications, responses, or both. */
const PLACES = ['notifications', 'answers', 'both'] as const;

/** Longest delay, in ms. */
const MAX_DELAY = 3_600_000;

/** A fault switch for everything, or for one gateway, kind of call or order. `count`: only the next so many. */
export interface FaultSwitch {
  readonly mode: FaultMode;
  readonly gateway?: GatewayName;
  readonly call?: Call;
  readonly orderNo?: string;
  readonly in?: (typeof PLACES)[number];
  readonly count?: number;
  readonly delayMs?: number;
}

/** An active switch. `left` null: until switched off. `hits`: times applied. */
export interface Fault extends Omit<FaultSwitch, 'count'> {
  readonly delayMs: number;
  readonly in: (typeof PLACES)[number];
  readonly left: number | null;
  readonly hits: number;
}

/** A point at which a fault may be injected. `call` is `notify` for notifications. */
export interface FaultPoint {
  readonly gateway: GatewayName;
  readonly call: Call | 'notify';
  readonly orderNo: string | null;
}

export const FAULT_BODY = {
  type: 'object',
  required: ['mode'],
  additionalProperties: false,
  properties: {
    mode: { enum: FAULT_MODES },
    gateway: { enum: GATEWAYS },
    call: { enum: CALLS },
    orderNo: { type: 'string', minLength: 1, maxLength: 64 },
    in: { enum: PLACES },
    count: { type: 'integer', minimum: 1, maximum: 1_000_000 },
    delayMs: { type: 'integer', minimum: 0, maximum: MAX_DELAY },
  },
} as const;

/** The fault switches of the gateways. Several can be active: different modes, gateways, calls or orders. */
export class PaymentFaults {
  #faults: Fault[] = [];

  /** Active and used-up switches; the hits of the latter can still be read. */
  get state(): { readonly faults: readonly Fault[] } {
    return { faults: this.#faults };
  }

  /** Sets a fault, replacing one of the same mode and target. `none` clears all switches of its target. */
  set({ count, ...wanted }: FaultSwitch): { readonly faults: readonly Fault[] } {
    const isSameTarget = (fault: Fault) =>
      (['gateway', 'call', 'orderNo'] as const).every(
        (name) => fault[name] === wanted[name] || (wanted.mode === 'none' && wanted[name] === undefined),
      );
    this.#faults = this.#faults.filter(
      (fault) => !(isSameTarget(fault) && (wanted.mode === 'none' || fault.mode === wanted.mode)),
    );
    if (wanted.mode !== 'none') {
      const delayMs = wanted.delayMs ?? (wanted.mode === 'slow' || wanted.mode === 'notify-late' ? 5_000 : 0);
      this.#faults.push({ ...wanted, in: wanted.in ?? 'notifications', delayMs, left: count ?? null, hits: 0 });
    }
    return this.state;
  }

  /** The fault of this mode at this point, or null; counts a hit. */
  take(mode: FaultMode, faultPoint: FaultPoint): Fault | null {
    const found = this.#faults.find((fault) => fault.mode === mode && fault.left !== 0 && matches(fault, faultPoint));
    if (!found) return null;
    const hit = { ...found, hits: found.hits + 1, left: found.left === null ? null : found.left - 1 };
    this.#faults = this.#faults.map((fault) => (fault === found ? hit : fault));
    return hit;
  }

  /**
   * Delays the response, hangs, or closes the connection; the call has already been executed.
   * Returns false when the connection is gone.
   */
  async delayOrDrop(faultPoint: FaultPoint, reply: FastifyReply): Promise<boolean> {
    const slow = this.take('slow', faultPoint);
    if (slow) await pause(slow.delayMs, undefined, { ref: false });
    const { socket } = reply.request.raw;
    if (this.take('close-connection', faultPoint)) socket.destroy();
    else if (this.take('hang', faultPoint) && !socket.destroyed)
      await new Promise((resolve) => socket.once('close', resolve));
    if (!socket.destroyed) return true;
    reply.hijack();
    return false;
  }
}

function matches(fault: Fault, faultPoint: FaultPoint): boolean {
  if (fault.gateway !== undefined && fault.gateway !== faultPoint.gateway) return false;
  if (fault.orderNo !== undefined && fault.orderNo !== faultPoint.orderNo) return false;
  const isNotification = faultPoint.call === 'notify';
  if (fault.mode === 'wrong-amount' || fault.mode === 'bad-signature') {
    if (fault.in !== 'both' && fault.in !== (isNotification ? 'notifications' : 'answers')) return false;
  }
  return isNotification || fault.call === undefined || fault.call === faultPoint.call;
}

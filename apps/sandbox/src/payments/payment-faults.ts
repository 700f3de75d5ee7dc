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

/** What a merchant can ask a gateway. */
export const CALLS = ['pay', 'query', 'close', 'refund', 'refund-query', 'certificates'] as const;
export type Call = (typeof CALLS)[number];

/** Where a wrong amount or signature stands: in what the gateway sends, in what it answers, or in both. */
const PLACES = ['notifications', 'answers', 'both'] as const;

/** Longest delay, in ms. */
const MAX_DELAY = 3_600_000;

/** What is switched: for everything, or for one gateway, one kind of call, one order. `count`: only the next so many. */
export interface FaultSwitch {
  readonly mode: FaultMode;
  readonly gateway?: GatewayName;
  readonly call?: Call;
  readonly orderNo?: string;
  readonly in?: (typeof PLACES)[number];
  readonly count?: number;
  readonly delayMs?: number;
}

/** A switch in force. `left` null: until switched off. `hits`: how often it was met. */
export interface Fault extends Omit<FaultSwitch, 'count'> {
  readonly delayMs: number;
  readonly in: (typeof PLACES)[number];
  readonly left: number | null;
  readonly hits: number;
}

/** A point at which a fault may be injected. `call` is `notify` when the gateway speaks first. */
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

/** The failure switches of the gateways. Several may be in force: of different modes, or for different gateways, calls and orders. */
export class PaymentFaults {
  #faults: Fault[] = [];

  /** Those in force and those used up, so that their hits can still be read. */
  get state(): { readonly faults: readonly Fault[] } {
    return { faults: this.#faults };
  }

  /** Switches a fault on, in the place of one of the same mode for the same things. `none` switches off all of what it names. */
  set({ count, ...wanted }: FaultSwitch): { readonly faults: readonly Fault[] } {
    const named = (fault: Fault) =>
      (['gateway', 'call', 'orderNo'] as const).every(
        (name) => fault[name] === wanted[name] || (wanted.mode === 'none' && wanted[name] === undefined),
      );
    this.#faults = this.#faults.filter(
      (fault) => !(named(fault) && (wanted.mode === 'none' || fault.mode === wanted.mode)),
    );
    if (wanted.mode !== 'none') {
      const delayMs = wanted.delayMs ?? (wanted.mode === 'slow' || wanted.mode === 'notify-late' ? 5_000 : 0);
      this.#faults.push({ ...wanted, in: wanted.in ?? 'notifications', delayMs, left: count ?? null, hits: 0 });
    }
    return this.state;
  }

  /** The fault of this mode for this point; counts the hit. Null when there is none. */
  meet(mode: FaultMode, faultPoint: FaultPoint): Fault | null {
    const found = this.#faults.find((fault) => fault.mode === mode && fault.left !== 0 && concerns(fault, faultPoint));
    if (!found) return null;
    const met = { ...found, hits: found.hits + 1, left: found.left === null ? null : found.left - 1 };
    this.#faults = this.#faults.map((fault) => (fault === found ? met : fault));
    return met;
  }

  /**
   * What happens to an answer on its way: it comes late, never, or the line is cut. What was asked has been done by then.
   * Answers false when there is nobody left to answer.
   */
  async underway(faultPoint: FaultPoint, reply: FastifyReply): Promise<boolean> {
    const slow = this.meet('slow', faultPoint);
    if (slow) await pause(slow.delayMs, undefined, { ref: false });
    const { socket } = reply.request.raw;
    if (this.meet('close-connection', faultPoint)) socket.destroy();
    else if (this.meet('hang', faultPoint) && !socket.destroyed)
      await new Promise((resolve) => socket.once('close', resolve));
    if (!socket.destroyed) return true;
    reply.hijack();
    return false;
  }
}

function concerns(fault: Fault, faultPoint: FaultPoint): boolean {
  if (fault.gateway !== undefined && fault.gateway !== faultPoint.gateway) return false;
  if (fault.orderNo !== undefined && fault.orderNo !== faultPoint.orderNo) return false;
  const speaks = faultPoint.call === 'notify';
  if (fault.mode === 'wrong-amount' || fault.mode === 'bad-signature') {
    if (fault.in !== 'both' && fault.in !== (speaks ? 'notifications' : 'answers')) return false;
  }
  return speaks || fault.call === undefined || fault.call === faultPoint.call;
}

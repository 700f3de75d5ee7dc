import { defineEntity, p } from '@mikro-orm/core';
import type { Gateway } from '@yiqiao/domain/orders';
import type { ClosedHow, DifferenceKind } from '@yiqiao/domain/reconciliation';
import type { Difference, Totals } from './difference.js';

/** Of a statement: what it is and what it holds; days and amounts (fen) as the gateway says. */
export type ReadFile = {
  name: string;
  sha256: string;
  gateway: Gateway;
  from: string;
  to: string;
  lines: number;
  paid: number;
  refunded: number;
};

const runSchema = defineEntity({
  name: 'Reconciliation',
  properties: {
    id: p.bigint('number').primary(),
    source: p.string().$type<Difference['source']>(),
    state: p.string().$type<'running' | 'done' | 'failed'>().defaultRaw("'running'"),
    fromAt: p.datetime(),
    toAt: p.datetime(),
    startedBy: p.string(),
    startedAt: p.datetime().defaultRaw('clock_timestamp()'),
    beatAt: p.datetime().defaultRaw('clock_timestamp()'),
    finishedAt: p.datetime().strictNullable(),
    total: p.integer().default(0),
    done: p.integer().default(0),
    files: p.json<ReadFile[]>().defaultRaw("'[]'"),
    totals: p.json<Totals[]>().defaultRaw("'[]'"),
  },
});

/** A comparison with statements, or of each order with its gateway. */
export class Reconciliation extends runSchema.class {}
runSchema.setClass(Reconciliation);

const differenceSchema = defineEntity({
  name: 'PaymentDifference',
  properties: {
    id: p.bigint('number').primary(),
    fingerprint: p.string(),
    source: p.string().$type<Difference['source']>(),
    what: p.string().$type<DifferenceKind>(),
    kind: p.string().$type<Difference['kind']>(),
    gateway: p.string().$type<Gateway>(),
    orderNo: p.string(),
    tradeNo: p.string(),
    refundNo: p.string(),
    expected: p.bigint('number').strictNullable(),
    found: p.bigint('number').strictNullable(),
    detail: p.string(),
    at: p.datetime().strictNullable(),
    firstRun: p.bigint('number'),
    lastRun: p.bigint('number'),
    closedHow: p.string().$type<ClosedHow>().strictNullable(),
    closedBy: p.string().strictNullable(),
    closedAt: p.datetime().strictNullable(),
    closeReason: p.string().strictNullable(),
  },
});

/** A difference, once, in however many runs it was found. */
export class PaymentDifference extends differenceSchema.class {}
differenceSchema.setClass(PaymentDifference);

/** Runs of the audit, and what a difference has stopped (operators §7, §11). */
import { z } from 'zod';
import { done, nothing } from '../endpoint.js';
import { id, page, paging, queryId } from '../fields.js';
import { operatorEndpoint } from './endpoint.js';

/** `account` 0: in the database itself; `seq` null: not at an entry. */
const place = { account: z.int(), seq: z.int().nullable(), what: z.string(), expected: z.string(), found: z.string() };

/** `arch`: which of the 24 parts of the families it is in, for a run over all of them. */
const difference = z.object({
  ...place,
  family: z.int().nullable(),
  arch: z.int().nullable(),
  /** Differences that follow from it. */
  consequences: z.array(z.object(place)),
});

/** `full`: from the first entry of each account; `anchors`: only what follows its signed anchor. */
export const auditDepth = z.enum(['full', 'anchors']);

const row = {
  id: z.int(),
  depth: auditDepth,
  /** Accounts that were read from their anchor. */
  anchored: z.int(),
  scope: z.enum(['all', 'family', 'account']),
  userId: z.int().nullable(),
  state: z.enum(['waiting', 'running', 'whole', 'different', 'cancelled', 'failed']),
  /** An operator, `cli:<system user>`, or `system` for the nightly run. */
  startedBy: z.string(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  /** Done and in all, as counted at the start. */
  entries: z.int(),
  total: z.int(),
  accounts: z.int(),
  accountsTotal: z.int(),
  families: z.int(),
  familiesTotal: z.int(),
  orders: z.int(),
  /** The time worked, without pauses. */
  seconds: z.number(),
  /** Entries per second: now while it runs, on average afterwards. */
  perSecond: z.int(),
  averagePerSecond: z.int(),
  remainingSeconds: z.int().nullable(),
  differenceCount: z.int(),
  firstDifference: difference.nullable(),
};

export const auditRunRow = z.object(row);

/** `phase`: what is read now; `at`: the entry under audit; `memory`: of the process, MB. */
export const auditRun = z.object({
  ...row,
  phase: z.enum(['accounts', 'orders', 'members']).nullable(),
  at: z.object({ account: z.int(), family: z.int(), seq: z.int() }).nullable(),
  memory: z.int().nullable(),
  /** The first hundred. */
  differences: z.array(difference),
});

const byId = z.strictObject({ id: queryId });

/**
 * Starts a run in the worker. One over everything at a time: a second answers with the one under way, and so does one over a family or
 * an account that is being audited already. NOT_FOUND without the account.
 */
export const startAuditRun = operatorEndpoint({
  method: 'POST',
  path: '/audit-runs',
  action: 'audit.run',
  request: z.discriminatedUnion('scope', [
    z.strictObject({ scope: z.literal('all'), depth: auditDepth.default('full') }),
    z.strictObject({ scope: z.enum(['family', 'account']), userId: id, depth: auditDepth.default('full') }),
  ]),
  response: z.object({ id: z.int() }),
});

/** Every run, of the command line too, newest first. */
export const listAuditRuns = operatorEndpoint({
  method: 'GET',
  path: '/audit-runs',
  action: 'read',
  request: z.strictObject({ ...paging }),
  response: page(auditRunRow),
});

export const getAuditRun = operatorEndpoint({
  method: 'GET',
  path: '/audit-runs/:id',
  action: 'read',
  request: byId,
  response: auditRun,
});

/** 409 AUDIT_RUN_OVER when it has ended already. */
export const cancelAuditRun = operatorEndpoint({
  method: 'POST',
  path: '/audit-runs/:id/cancel',
  action: 'audit.run',
  request: byId,
  response: done,
});

/** Goes on after the last account that was proven. 409 AUDIT_RUN_NOT_STOPPED, AUDIT_RUN_UNDER_WAY. */
export const resumeAuditRun = operatorEndpoint({
  method: 'POST',
  path: '/audit-runs/:id/resume',
  action: 'audit.run',
  request: byId,
  response: done,
});

/** A family in which an audit found a difference; `account`, `seq`, `what`: the first one. */
const readOnlyFamily = z.object({
  familyId: z.int(),
  name: z.string().nullable(),
  runId: z.int(),
  account: z.int(),
  seq: z.int().nullable(),
  what: z.string(),
  since: z.string(),
});

/** What the foot of the side bar and the red band say. */
export const getLedgerStatus = operatorEndpoint({
  method: 'GET',
  path: '/ledger-status',
  action: 'read',
  request: nothing,
  response: z.object({
    /** The run over everything that is under way. */
    running: auditRunRow.nullable(),
    /** The last one over everything that came to a result. */
    last: auditRunRow.nullable(),
    /** The last of them that read every entry. */
    lastFull: auditRunRow.nullable(),
    /** When the next run of the night starts, and how deep it reads; null when there are none. */
    next: z.string().nullable(),
    nextDepth: auditDepth.nullable(),
    readOnly: z.array(readOnlyFamily),
  }),
});

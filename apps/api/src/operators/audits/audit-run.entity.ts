import { defineEntity, p } from '@mikro-orm/core';
import type { getAuditRun } from '@yiqiao/contracts/operator/audits';
import type { Answer } from '@yiqiao/contracts/endpoint';

type Run = Answer<typeof getAuditRun>;

const schema = defineEntity({
  name: 'AuditRun',
  properties: {
    id: p.bigint('number').primary(),
    scope: p.string().$type<Run['scope']>(),
    userId: p.bigint('number').strictNullable(),
    state: p.string().$type<Run['state']>().defaultRaw("'waiting'"),
    depth: p.string().$type<Run['depth']>().default('full'),
    anchored: p.bigint('number').default(0),
    startedBy: p.string(),
    createdAt: p.datetime().defaultRaw('now()'),
    startedAt: p.datetime().strictNullable(),
    finishedAt: p.datetime().strictNullable(),
    activeMs: p.bigint('number').default(0),
    entries: p.bigint('number').default(0),
    entriesTotal: p.bigint('number').default(0),
    accounts: p.bigint('number').default(0),
    accountsTotal: p.bigint('number').default(0),
    families: p.bigint('number').default(0),
    familiesTotal: p.bigint('number').default(0),
    orders: p.bigint('number').default(0),
    progress: p.json<Partial<Pick<Run, 'phase' | 'perSecond' | 'memory' | 'at'>>>().defaultRaw("'{}'"),
    differences: p.json<Run['differences']>().defaultRaw("'[]'"),
  },
});

/** A run of the audit; the process that carries it out writes it (ledger/audit-runs). */
export class AuditRun extends schema.class {}
schema.setClass(AuditRun);

import { defineEntity, p } from '@mikro-orm/core';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { getWhatIf } from '@yiqiao/contracts/operator/what-if';
import type { Kept, StoredResult } from './what-if-result.js';

type Run = Answer<typeof getWhatIf>;

const schema = defineEntity({
  name: 'WhatIf',
  properties: {
    id: p.bigint('number').primary(),
    fromAt: p.datetime(),
    toAt: p.datetime(),
    changes: p.json<Run['changes']>(),
    state: p.string().$type<Run['state']>().defaultRaw("'waiting'"),
    startedBy: p.string(),
    createdAt: p.datetime().defaultRaw('now()'),
    startedAt: p.datetime().strictNullable(),
    finishedAt: p.datetime().strictNullable(),
    activeMs: p.bigint('number').default(0),
    entries: p.bigint('number').default(0),
    entriesTotal: p.bigint('number').default(0),
    families: p.bigint('number').default(0),
    familiesTotal: p.bigint('number').default(0),
    kept: p.json<Kept>().strictNullable().lazy(),
    baseline: p.json<NonNullable<Run['baseline']>>().strictNullable(),
    result: p.json<StoredResult>().strictNullable(),
  },
});

/** What would have been charged under other prices. The worker that carries it out writes it. */
export class WhatIf extends schema.class {}
schema.setClass(WhatIf);

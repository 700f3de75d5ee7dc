import { defineEntity, p } from '@mikro-orm/core';

const version = defineEntity({
  name: 'GlossaryVersion',
  tableName: 'glossary',
  properties: {
    familyId: p.bigint('number').primary(),
    /** Incremented with every change of the family's terms. */
    version: p.bigint('number').defaultRaw('1'),
    changedAt: p.datetime().defaultRaw('now()'),
  },
});

/** The version of a family's glossary. */
export class GlossaryVersion extends version.class {}
version.setClass(GlossaryVersion);

const term = defineEntity({
  name: 'GlossaryTerm',
  properties: {
    id: p.bigint('number').primary(),
    familyId: p.bigint('number'),
    /** langCodes */
    source: p.string(),
    target: p.string(),
    term: p.string(),
    /** Unique within the family and pair: terms with the same key match the same places of a text. */
    termKey: p.string(),
    translation: p.string(),
    /** Normalized term and translation, for the filter of the page. */
    sought: p.string(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});

/** A term of a family's glossary. */
export class GlossaryTerm extends term.class {}
term.setClass(GlossaryTerm);

import { describe, expect, it } from '@jest/globals';
import { type ErrorCode, errors, KINDS } from '@yiqiao/domain/errors';
import { consolePages } from './console/page-table.js';
import { sitePages } from './site/page-table.js';
import type { Block } from './site/shared/doc/doc.js';
import policiesEn from './site/pages/policies/content.en.js';
import policiesZh from './site/pages/policies/content.zh.js';
import developersEn from './site/pages/developers/content.en.js';
import developersZh from './site/pages/developers/content.zh.js';
import type { DevPart } from './site/pages/developers/dev-doc.js';
import webhooksEn from './site/pages/developers/webhooks/blocks.en.js';
import webhooksZh from './site/pages/developers/webhooks/blocks.zh.js';
import useDocEn from './site/pages/use-doc/content.en.js';
import useDocZh from './site/pages/use-doc/content.zh.js';
import en from './site/pages/tutorial/content.en.js';
import zh from './site/pages/tutorial/content.zh.js';
import { addressOf, isSection, LEAVES, PLACES } from './site/pages/tutorial/tree.js';

/** The shape of a block without its words. */
const kindOf = (block: Block): string => (typeof block === 'string' ? 'text' : Object.keys(block).join());
const shapeOf = (parts: readonly { blocks: readonly Block[] }[]): string[][] =>
  parts.map(({ blocks }) => blocks.map(kindOf));

const addressesIn = (parts: readonly { blocks: readonly Block[] }[]): string[] =>
  parts.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (typeof block === 'object' && 'to' in block ? [block.to] : [])),
  );

describe('the tutorial', () => {
  it('has the sections of the specification, in its order', () => {
    expect(LEAVES.map(({ id }) => id).join(' ')).toBe(
      'cpjc xsbk xzaz hyxx hycz zzhgl xgmm tgyl yhzx tjyy yygl gysz kjhf fsbz qfxx aihf dlsz xtsz znai tpfy khzx xssz',
    );
    expect(PLACES.map(({ id }) => id)).toEqual([...LEAVES.map(({ id }) => id), 'zcdl']);
    expect(LEAVES.find(({ id }) => id === 'zzhgl')?.branches).toEqual(['details', 'officialConsole']);
  });

  it('gives every section an address of its own, the first that of the tutorial', () => {
    expect(PLACES.map(({ id }) => addressOf(id)).slice(0, 2)).toEqual(['/productDesc', '/productDesc/xsbk']);
    expect(new Set(PLACES.map(({ id }) => addressOf(id))).size).toBe(PLACES.length);
    expect([isSection('zzhgl'), isSection('constructor')]).toEqual([true, false]);
  });

  it.each(PLACES)('says the same in both languages: $id', ({ id }) => {
    expect(shapeOf(en[id].parts)).toEqual(shapeOf(zh[id].parts));
    expect(addressesIn(en[id].parts)).toEqual(addressesIn(zh[id].parts));
    expect(zh[id].parts.length).toBeGreaterThan(1);
  });

  it('leads only to pages that there are', () => {
    const known = new Set([
      ...[...sitePages, ...consolePages].map(({ path }) => path.replace('/:section?', '')),
      ...PLACES.map(({ id }) => addressOf(id)),
    ]);
    const parts = [...Object.values(zh).flatMap((section) => section.parts), ...useDocZh.parts];
    const links = addressesIn(parts).map((address) => address.split('?')[0] ?? '');
    expect(links.length).toBeGreaterThan(15);
    expect(links.filter((link) => !known.has(link))).toEqual([]);
  });
});

describe('the usage document', () => {
  it('has three parts, the same in both languages', () => {
    expect(useDocZh.parts).toHaveLength(3);
    expect(shapeOf(useDocEn.parts)).toEqual(shapeOf(useDocZh.parts));
    expect(addressesIn(useDocEn.parts)).toEqual(addressesIn(useDocZh.parts));
  });
});

/** The kinds of its blocks, and what is the same in both languages: codes, fields, calls and addresses. */
const factsOf = (parts: readonly Pick<DevPart, 'blocks'>[]): unknown[] =>
  parts.map(({ blocks }) =>
    blocks.map((block) => {
      if (typeof block === 'string') return 'text';
      if ('rows' in block) return block.rows.map((row) => row.filter((cell) => /^(`[^`]+`|\d+)$/.test(cell)));
      if ('to' in block) return block.to;
      return 'call' in block ? block.call : Object.keys(block).join();
    }),
  );
const errorRows = developersZh.parts
  .flatMap(({ blocks }) => blocks)
  .flatMap((block) => (typeof block === 'object' && 'rows' in block ? block.rows : []))
  .filter(([status = '']) => /^\d{3}$/.test(status));

describe('the developers’ page', () => {
  it('says the same in both languages', () => {
    expect(factsOf(developersEn.parts)).toEqual(factsOf(developersZh.parts));
    expect(factsOf([{ blocks: webhooksEn }])).toEqual(factsOf([{ blocks: webhooksZh }]));
  });

  it.each(errorRows)('names an error as the API answers it: %s %s', (status, code = '') => {
    const name = code.replaceAll('`', '');
    expect(Object.hasOwn(errors, name)).toBe(true);
    expect(KINDS[errors[name as ErrorCode].kind]).toBe(Number(status));
  });

  it('names most of what can be refused', () => {
    expect(errorRows.length).toBeGreaterThan(15);
  });
});

describe('the policies', () => {
  it.each(['privacy', 'refund'] as const)('say the same in both languages: %s', (name) => {
    expect(shapeOf(policiesEn[name].parts)).toEqual(shapeOf(policiesZh[name].parts));
    expect(addressesIn(policiesEn[name].parts)).toEqual(addressesIn(policiesZh[name].parts));
  });
});

// Adds a type of entry to the built product as somebody would add it to the source: its row, its rule, its sentence. For `node --import`.
import { registerHooks } from 'node:module';

const ADDED = {
  'ledger.js': ['export const ENTRY_TYPES = {', `GOODWILL: { code: 11, zh: '补偿', en: 'Goodwill' },`],
  'entry-rules.js': [
    'export const ENTRY_RULES = {',
    `GOODWILL: [{ must: ['charUp', 'managerId'], may: [], witness: 'action' }],`,
  ],
  'explanations.js': [
    'const SENTENCES = {',
    'GOODWILL: (e, l) => ({ zh: `补偿：${signed(e, l)}`, en: `Goodwill: ${signed(e, l)}` }),',
  ],
};

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const added = ADDED[/\/packages\/domain\/dist\/([^/]+)$/.exec(url)?.[1]];
    if (!added) return loaded;
    const [table, row] = added;
    const parts = Buffer.from(loaded.source).toString().split(table);
    if (parts.length !== 2) throw new Error(`${url} has not one "${table}"`);
    return { ...loaded, source: parts.join(`${table}\n${row}`) };
  },
});

// Extends the built product as a developer would extend its source. For `node --import`; EXTEND_LEDGER names the addition.
import { registerHooks } from 'node:module';

const DOMAIN = '/packages/domain/dist';
const EXTENSIONS = {
  /** A type of entry: its row, its rule, its sentence. */
  type: {
    [`${DOMAIN}/ledger.js`]: [['export const ENTRY_TYPES = {', `GOODWILL: { code: 11, zh: '补偿', en: 'Goodwill' },`]],
    [`${DOMAIN}/entry-rules.js`]: [
      ['export const ENTRY_RULES = {', `GOODWILL: [{ must: ['charUp', 'managerId'], may: [], witness: 'action' }],`],
    ],
    [`${DOMAIN}/explanations.js`]: [
      [
        'const SENTENCES = {',
        'GOODWILL: (e, l) => ({ zh: `补偿：${signed(e, l)}`, en: `Goodwill: ${signed(e, l)}` }),',
      ],
    ],
  },
  /** A column of entries: its row, and which entries may have it. The schema matches its migration. */
  column: {
    [`${DOMAIN}/entry-fields.js`]: [
      [
        'slot: 31, nullable: true, ref: true, added: true },',
        `voucherId: { column: 'voucher_id', type: 'bigint', slot: 32, nullable: true, ref: true, added: true },`,
      ],
    ],
    [`${DOMAIN}/entry-rules.js`]: [[`{ must: ['managerId'], may: [...ANY_QUOTA,`, `'voucherId',`]],
    '/apps/api/dist/src/ledger/audit/expected-schema.js': [
      ['export const EXPECTED_SCHEMA = {', '"column account_log.voucher_id": ["bigint"],'],
      ['"recharge_tran_channel_id", "consume_config_id",', '"voucher_id",'],
    ],
  },
};
const extension = EXTENSIONS[process.env.EXTEND_LEDGER];

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const [, additions] = Object.entries(extension).find(([file]) => url.endsWith(file)) ?? [];
    if (!additions) return loaded;
    let source = Buffer.from(loaded.source).toString();
    for (const [before, added] of additions) {
      const parts = source.split(before);
      if (parts.length !== 2) throw new Error(`${url} does not have one "${before}"`);
      source = parts.join(`${before}\n${added}`);
    }
    return { ...loaded, source };
  },
});

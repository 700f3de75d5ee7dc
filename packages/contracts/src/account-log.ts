import { changeTag, type ChangeTag } from '@yiqiao/domain/explanations';
import { ENTRY_TYPES, type EntryType } from '@yiqiao/domain/ledger';
import { z } from 'zod';
import { usedKey } from './api-key-scopes.js';
import { csvFile, endpoint } from './endpoint.js';
import { clientType, dateTime, filter, inOrder, logPage, paging, queryIp } from './fields.js';

const entryType = z.enum(Object.keys(ENTRY_TYPES) as [EntryType, ...EntryType[]], { error: 'WRONG_VALUE' });
const billingMode = z.enum(['char', 'time']);

/**
 * One line of the ledger (specification §3). Names are joined when read; a deleted sub-account's is its last one, marked so in the
 * request's language, and after log-off they read `–` (decisions §3).
 */
export const accountLogRow = z.object({
  id: z.int(),
  logType: entryType,
  charChangeNum: z.int(),
  minChangeNum: z.int(),
  voiceChangeNum: z.int(),
  imageChangeNum: z.int(),
  usedCharNum: z.int(),
  amount: z.int(),
  beforeCharNum: z.int(),
  lastCharNum: z.int(),
  beforeVoiceNum: z.int(),
  lastVoiceNum: z.int(),
  beforeImageNum: z.int(),
  lastImageNum: z.int(),
  beforeExpireDateTime: z.string().nullable(),
  lastExpireDateTime: z.string().nullable(),
  beforeTranChannelId: z.int().nullable(),
  lastTranChannelId: z.int().nullable(),
  beforeTranslationBillingMode: billingMode.nullable(),
  lastTranslationBillingMode: billingMode.nullable(),
  rechargeOrderByMemberGroupNo: z.string().nullable(),
  rechargeMemberGroupName: z.string().nullable(),
  rechargeTranChannelId: z.int().nullable(),
  rechargeTranslationBillingMode: billingMode.nullable(),
  consumeTranslationConfigId: z.int().nullable(),
  consumeTranChannelId: z.int().nullable(),
  consumerIp: z.string().nullable(),
  /** The API key whose request it was. */
  apiKey: usedKey.nullable(),
  managerId: z.int().nullable(),
  managerName: z.string().nullable(),
  parentUserName: z.string().nullable(),
  childUserName: z.string().nullable(),
  /** Why an operator did it, in the operator's words. */
  reason: z.string().nullable(),
  /** The entry in words, in the language of the request. */
  explanation: z.string(),
  createDateTime: z.string(),
});

/** A one-line summary of an entry, from its row. */
export const changeTagOf = (row: z.output<typeof accountLogRow>): ChangeTag =>
  changeTag({
    charChange: row.charChangeNum,
    minChange: row.minChangeNum,
    voiceChange: row.voiceChangeNum,
    imageChange: row.imageChangeNum,
  });

const filters = {
  logType: filter(entryType),
  loginIp: filter(queryIp),
  clientType: filter(clientType),
  createDateTimeBegin: filter(dateTime),
  createDateTimeEnd: filter(dateTime),
};
const range = inOrder('createDateTimeBegin', 'createDateTimeEnd');

export const listAccountLogs = endpoint({
  method: 'GET',
  path: '/memberAccountLog/page',
  access: 'member',
  request: z.strictObject({ ...paging, ...filters }).superRefine(range),
  response: logPage(accountLogRow),
});

/** Sums of the entries that were translated through a channel, or (null) of all others; `amount` in fen. */
const sums = z.object({
  tranChannelId: z.int().nullable(),
  charIn: z.int(),
  charOut: z.int(),
  voiceIn: z.int(),
  voiceOut: z.int(),
  imageIn: z.int(),
  imageOut: z.int(),
  amount: z.int(),
});

/** The sums of the same filters; null for more than TOTALS_ROWS_MAX entries. Not in the specification (docs/decisions/0007). */
export const totalAccountLogs = endpoint({
  method: 'GET',
  path: '/memberAccountLog/totals',
  access: 'member',
  request: z.strictObject(filters).superRefine(range),
  response: z.object({ total: z.int(), channels: z.array(sums).nullable() }),
});

/** The result of the same filters as CSV: UTF-8 with BOM, newest first. */
export const exportAccountLogs = endpoint({
  method: 'GET',
  path: '/memberAccountLog/export',
  access: 'member',
  request: z.strictObject(filters).superRefine(range),
  response: csvFile,
  file: 'csv',
});

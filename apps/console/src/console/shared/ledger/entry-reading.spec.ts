import { describe, expect, it } from '@jest/globals';
import { changeTagOf } from '@yiqiao/contracts/account-log';
import { actorOf, amountsOf, movementsOf, type LedgerRow } from './entry-reading.js';

const row = (change: Partial<LedgerRow>): LedgerRow => ({
  id: 1,
  logType: 'TRANSLATION_CONSUME',
  charChangeNum: 0,
  minChangeNum: 0,
  voiceChangeNum: 0,
  imageChangeNum: 0,
  usedCharNum: 0,
  amount: 0,
  beforeCharNum: 5000,
  lastCharNum: 5000,
  beforeVoiceNum: 20,
  lastVoiceNum: 20,
  beforeImageNum: 20,
  lastImageNum: 20,
  beforeExpireDateTime: '2026-12-20 10:00:00',
  lastExpireDateTime: '2026-12-20 10:00:00',
  beforeTranChannelId: 1,
  lastTranChannelId: 1,
  beforeTranslationBillingMode: 'char',
  lastTranslationBillingMode: 'char',
  rechargeOrderByMemberGroupNo: null,
  rechargeMemberGroupName: null,
  rechargeTranChannelId: null,
  rechargeTranslationBillingMode: null,
  consumeTranslationConfigId: null,
  consumeTranChannelId: null,
  consumerIp: null,
  apiKey: null,
  managerId: null,
  managerName: null,
  parentUserName: null,
  childUserName: null,
  reason: null,
  explanation: '文本翻译（离线引擎）：用去 186 字符',
  createDateTime: '2026-11-20 14:32:08',
  ...change,
});

describe('a line of the ledger', () => {
  it('shows the charge of a translation from the account', () => {
    const entry = row({ charChangeNum: -186, lastCharNum: 4814, usedCharNum: 186, consumeTranChannelId: 1 });
    expect(changeTagOf(entry)).toBe('decrease');
    expect(amountsOf(entry)).toEqual([{ quantity: 'char', change: -186 }]);
    expect(movementsOf(entry)).toEqual([{ quantity: 'char', before: 5000, after: 4814 }]);
    expect(actorOf(entry)).toEqual({ kind: 'self' });
  });

  it('calls use within a period no change', () => {
    const entry = row({ usedCharNum: 90, consumeTranChannelId: 1 });
    expect(changeTagOf(entry)).toBe('none');
    expect([amountsOf(entry), movementsOf(entry)]).toEqual([[], []]);
  });

  it('shows the gift of a new account as three quantities and an expiry, from the system', () => {
    const gift = row({
      logType: 'OTHER',
      charChangeNum: 5000,
      voiceChangeNum: 20,
      imageChangeNum: 20,
      beforeCharNum: 0,
      beforeVoiceNum: 0,
      beforeImageNum: 0,
      beforeExpireDateTime: null,
      beforeTranChannelId: null,
    });
    expect(changeTagOf(gift)).toBe('add');
    expect(amountsOf(gift).map((a) => a.change)).toEqual([5000, 20, 20]);
    expect(movementsOf(gift)).toContainEqual({ quantity: 'min', before: null, after: '2026-12-20 10:00:00' });
    expect(actorOf(gift)).toEqual({ kind: 'system' });
  });

  it('calls characters that become minutes a transfer', () => {
    const entry = row({ logType: 'SYS_MATRIX', charChangeNum: -4000, minChangeNum: 600 });
    expect(changeTagOf(entry)).toBe('transfer');
    expect(actorOf(entry)).toEqual({ kind: 'system' });
  });

  it('is by the main account when quota moves between the two', () => {
    const sides = { parentUserName: 'main', childUserName: '日韩组' };
    expect(actorOf(row({ logType: 'RECOVERY', ...sides }))).toEqual({ kind: 'main', name: 'main' });
    expect(actorOf(row({ logType: 'DISTRIBUTION' }))).toEqual({ kind: 'main', name: '–' });
  });

  it('names the operator of an adjustment', () => {
    expect(actorOf(row({ logType: 'SYS_ADJUST', managerId: 3, managerName: '周敏' }))).toEqual({
      kind: 'manager',
      name: '周敏',
    });
  });
});

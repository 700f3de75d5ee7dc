import { describe, expect, it } from '@jest/globals';
import {
  csvOf,
  groupsOf,
  shownChanges,
  totalOf,
  unattributed,
  waterfall,
  type Difference,
  type Part,
} from './differences.js';

const part = (type: Part['type'], cause: Part['cause'], charNum: number, entries = 1): Part => ({
  type,
  cause,
  entries,
  charNum,
  voiceNum: 0,
  imageNum: 0,
  amount: 0,
});
const day = (ref: string): Part['cause'] => ({ kind: 'day', ref, label: ref });
const parts = [
  part('TRANSLATION_CONSUME', day('2026-11-17'), -300, 3),
  part('TRANSLATION_CONSUME', day('2026-11-18'), -200, 2),
  part('DISTRIBUTION', { kind: 'member', ref: '7', label: '=拉美,一组' }, -10_000),
  part('SYS_ADJUST', { kind: 'operator', ref: '1', label: 'zhou' }, 20_000),
  part('RECHARGE_ORDER_BY_MEMBER_GROUP', { kind: 'order', ref: '3', label: 'YQ1' }, 500),
];
const state = (charNum: number): Difference['from'] => ({
  seq: 1,
  at: null,
  moment: null,
  charNum,
  voiceNum: 0,
  imageNum: 0,
  held: null,
  usedCharTotal: 0,
  rechargeAmountTotal: 0,
  expireDateTime: null,
  tranChannelId: null,
  channel: null,
  price: null,
  translationBillingMode: 'char',
  entryId: null,
});
const difference: Difference = {
  from: state(50_000),
  to: state(60_000),
  difference: { charNum: 10_000, voiceNum: 0, imageNum: 0, amount: 0 },
  parts,
};

describe('causes', () => {
  it('are grouped: days of use together, the operators last', () => {
    const groups = groupsOf(parts, 'charNum');
    expect(groups.map(({ type, charNum, entries }) => [type, charNum, entries])).toEqual([
      ['DISTRIBUTION', -10_000, 1],
      ['TRANSLATION_CONSUME', -500, 5],
      ['RECHARGE_ORDER_BY_MEMBER_GROUP', 500, 1],
      ['SYS_ADJUST', 20_000, 1],
    ]);
    expect(totalOf(groups, 'charNum')).toBe(10_000);
    expect(unattributed(difference, 'charNum')).toBe(0);
    expect(unattributed({ ...difference, parts: parts.slice(1) }, 'charNum')).toBe(-300);
  });

  it('are drawn singly up to a number, the rest as one', () => {
    const groups = groupsOf(parts, 'charNum');
    expect(shownChanges(groups, 'charNum', 3).map(({ change }) => change)).toEqual([20_500, -10_000, -500]);
    expect(shownChanges(groups, 'imageNum')).toEqual([]);
  });
});

it('a waterfall goes from one balance to the other', () => {
  const { start, bars, end } = waterfall(
    { from: 100, to: 70 },
    [
      { key: 'a', change: -50 },
      { key: 'b', change: 20 },
    ],
    100,
  );
  expect(start).toMatchObject({ top: 0, height: 100 });
  expect(bars.map(({ top, height }) => [top, height])).toEqual([
    [0, 50],
    [30, 20],
  ]);
  expect(end).toMatchObject({ top: 30, height: 70 });
});

it('a download is safe to open in a spreadsheet', () => {
  const lines = csvOf(difference).split('\r\n');
  expect(lines).toHaveLength(parts.length + 2);
  expect(lines[3]).toBe(`DISTRIBUTION,member,7,"'=拉美,一组",1,-10000,0,0,0`);
});

import type { Quota } from '@yiqiao/domain/ledger';

/** Days before today on which the demo family registers. */
export const FIRST_DAY = 61;

export type SubAccount = {
  account: string;
  nickname: string;
  /** The day it is added, and what it gets then. */
  day: number;
  share: Quota;
  /** What it gets later: on which day, how much. */
  more: readonly (readonly [day: number, share: Quota])[];
  /** Messages and batches of descriptions on a working day, at most. */
  messages: number;
  batches: number;
  client: 'web' | 'windows' | 'mac' | 'android' | 'ios';
};

const quota = (charNum: number, voiceNum = 0, imageNum = 0): Quota => ({ charNum, voiceNum, imageNum });

/** Days count from the registration. The intern leaves on INTERN_LEAVES. */
export const SUB_ACCOUNTS: readonly SubAccount[] = [
  {
    account: 'demo欧洲',
    nickname: '欧洲组',
    day: 1,
    share: quota(120_000, 20, 10),
    more: [
      [15, quota(80_000)],
      [38, quota(150_000, 10)],
    ],
    messages: 6,
    batches: 2,
    client: 'windows',
  },
  {
    account: 'demo东南亚',
    nickname: '东南亚组',
    day: 1,
    share: quota(100_000, 10, 10),
    more: [[39, quota(100_000)]],
    messages: 5,
    batches: 2,
    client: 'android',
  },
  {
    account: 'demo日韩',
    nickname: '日韩组',
    day: 2,
    share: quota(24_000),
    more: [[40, quota(18_000)]],
    messages: 4,
    batches: 1,
    client: 'mac',
  },
  {
    account: 'demo拉美',
    nickname: '拉美组',
    day: 4,
    share: quota(2_000),
    more: [[44, quota(800)]],
    messages: 3,
    batches: 0,
    client: 'web',
  },
  {
    account: 'demo中东',
    nickname: '中东组',
    day: 8,
    share: quota(50_000, 5),
    more: [],
    messages: 2,
    batches: 0,
    client: 'ios',
  },
  {
    account: 'demo实习',
    nickname: '实习生',
    day: 16,
    share: quota(10_000),
    more: [],
    messages: 2,
    batches: 0,
    client: 'web',
  },
];

export const INTERN = { account: 'demo实习', leaves: 45 } as const;

const [STANDARD, PROFESSIONAL, PREMIUM, MONTHLY] = [2, 3, 4, 8];

/**
 * The family's orders. `paid`: credited; `cancelled` by the member; `expired`: nobody paid. `refund`: the day and time on which an operator
 * returns the unused part, and why.
 */
export type Order = {
  day: number;
  at: string;
  plan: number;
  ends: 'paid' | 'cancelled' | 'expired';
  refund?: readonly [day: number, at: string, reason: string];
};

/** The monthly package converts the family's characters to minutes, the package of characters after it converts them back. */
export const ORDERS: readonly Order[] = [
  { day: 1, at: '09:38:12', plan: STANDARD, ends: 'paid' },
  { day: 9, at: '16:21:40', plan: PREMIUM, ends: 'cancelled' },
  { day: 22, at: '10:05:33', plan: MONTHLY, ends: 'paid' },
  { day: 37, at: '09:17:05', plan: PROFESSIONAL, ends: 'paid' },
  {
    day: 41,
    at: '11:02:51',
    plan: STANDARD,
    ends: 'paid',
    refund: [41, '15:26:30', '客户误买两份，退还未使用的部分'],
  },
  { day: 48, at: '20:44:09', plan: PREMIUM, ends: 'expired' },
  {
    day: 53,
    at: '14:30:22',
    plan: STANDARD,
    ends: 'paid',
    refund: [57, '10:11:48', '店铺合并，退还未使用的部分'],
  },
  { day: 61, at: '08:20:16', plan: PROFESSIONAL, ends: 'paid' },
];

/** What operators give: the arguments of `account adjust`. */
export const ADJUSTMENTS = [
  { day: 29, at: '11:40:00', key: 'pictures', give: ['--images', '30', '--reason', '图片翻译活动赠送'] },
  { day: 51, at: '17:05:20', key: 'outage', give: ['--chars', '20000', '--reason', '通道故障补偿'] },
] as const;

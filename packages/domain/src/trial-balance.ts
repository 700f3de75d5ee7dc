/**
 * The trial balance (operators §7): issued − used − lapsed ± conversions = held, and paid − refunded = recharged. Every entry belongs to one
 * line by its type and occasion; the other lines are balances and payments.
 */

/** Lines that are sums of entries. `side`: issued, used (shown positive), converted; `moved` cancels out within each family. */
export const ENTRY_LINES = {
  purchases: { side: 'issued', zh: '充值', en: 'Purchases' },
  refunds: { side: 'issued', zh: '退款收回', en: 'Taken back for refunds' },
  grants: { side: 'issued', zh: '赠送套餐', en: 'Plans given' },
  trialGifts: { side: 'issued', zh: '试用', en: 'Trials' },
  inviteRewards: { side: 'issued', zh: '邀请奖励', en: 'Invite rewards' },
  adjustments: { side: 'issued', zh: '调整', en: 'Adjustments' },
  translations: { side: 'used', zh: '文本翻译', en: 'Text' },
  voice: { side: 'used', zh: '语音翻译', en: 'Voice' },
  images: { side: 'used', zh: '图片翻译', en: 'Images' },
  conversions: { side: 'converted', zh: '换算', en: 'Conversions' },
  moved: { side: 'moved', zh: '分配与收回', en: 'Distributed and recovered' },
} as const;

/** Lines that are sums of accounts (`lapsed`: left on closed ones; `frozen`: expired, a part of `held`), and of orders and payments. */
export const OTHER_LINES = {
  lapsed: { of: 'accounts', zh: '注销失效', en: 'Lapsed on log-off' },
  held: { of: 'accounts', zh: '持有', en: 'Held' },
  frozen: { of: 'accounts', zh: '其中冻结', en: 'Frozen' },
  recharged: { of: 'accounts', zh: '累计充值', en: 'Recharge totals' },
  paid: { of: 'orders', zh: '已付订单', en: 'Orders paid' },
  refunded: { of: 'orders', zh: '退款', en: 'Refunded' },
} as const;

export type EntryLine = keyof typeof ENTRY_LINES;
export type OtherLine = keyof typeof OTHER_LINES;
export const entryLines = Object.keys(ENTRY_LINES) as [EntryLine, ...EntryLine[]];
export const trialBalanceLines = [...entryLines, ...(Object.keys(OTHER_LINES) as OtherLine[])] as [
  EntryLine,
  ...(EntryLine | OtherLine)[],
];

/** Quantities of a line; `amount` in fen. */
export type Quantities = { charNum: number; voiceNum: number; imageNum: number; amount: number };
export type TrialBalanceLine = Quantities & { key: EntryLine | OtherLine };

/** What is issued, used, lapsed and converted less what is held, and what was paid less what the accounts say: zero in a whole ledger. */
export function trialDifference(lines: readonly TrialBalanceLine[]): Quantities {
  const line = (key: TrialBalanceLine['key']): Quantities =>
    lines.find((one) => one.key === key) ?? { charNum: 0, voiceNum: 0, imageNum: 0, amount: 0 };
  const sumOf = (side: string, quantity: keyof Quantities): number =>
    entryLines.reduce((sum, key) => (ENTRY_LINES[key].side === side ? sum + line(key)[quantity] : sum), 0);
  const open = (quantity: 'charNum' | 'voiceNum' | 'imageNum'): number =>
    sumOf('issued', quantity) -
    sumOf('used', quantity) +
    sumOf('converted', quantity) -
    line('lapsed')[quantity] -
    line('held')[quantity];
  return {
    charNum: open('charNum'),
    voiceNum: open('voiceNum'),
    imageNum: open('imageNum'),
    amount: line('paid').amount - line('refunded').amount - line('recharged').amount,
  };
}

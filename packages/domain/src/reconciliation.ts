/** Our orders, payments and refunds compared with what the gateways say (operators §10). */

/** Of one statement; more is downloaded in parts. */
export const STATEMENT_ROWS_MAX = 100_000;
export const STATEMENT_BYTES_MAX = 32 * 1024 * 1024;
/** Why a difference or an exception is closed. */
export const CLOSE_REASON_MIN = 4;

/** Every kind of difference between a gateway and us. */
export const DIFFERENCES = {
  missingHere: { zh: '网关已收款，这里没有入账', en: 'Paid at the gateway, not credited here' },
  missingThere: { zh: '这里有收款，网关没有', en: 'Paid here, not at the gateway' },
  amount: { zh: '金额不符', en: 'Amounts differ' },
  refund: { zh: '退款不符', en: 'Refunds differ' },
  late: { zh: '入账晚于付款', en: 'Recorded late' },
  unknownOrder: { zh: '这里没有这个订单', en: 'No such order here' },
  wrongOrder: { zh: '交易属于另一订单', en: 'Transaction of another order' },
  twice: { zh: '账单中重复出现', en: 'Twice in the statement' },
  unanswered: { zh: '网关没有答复，无法核对', en: 'The gateway did not answer' },
  stillOpen: { zh: '这里已关闭，网关仍可付款', en: 'Closed here, still open at the gateway' },
  notClosed: { zh: '已过期仍未关闭', en: 'Expired but not closed' },
  ledger: { zh: '账本充值不符', en: 'The recharge in the ledger differs' },
  credited: { zh: '已入账付款不符', en: 'The credited payment differs' },
} as const satisfies Record<string, { zh: string; en: string }>;

export type DifferenceKind = keyof typeof DIFFERENCES;
export const differenceKinds = Object.keys(DIFFERENCES) as DifferenceKind[];

/** `matched`: a later run found both sides equal. `settled`: the gateway was asked and the payment credited. */
export const CLOSED_HOW = {
  reason: { zh: '已写明原因', en: 'Closed with a reason' },
  settled: { zh: '已按网关入账', en: 'Credited from the gateway' },
  matched: { zh: '再次对账时已一致', en: 'Matched in a later run' },
} as const satisfies Record<string, { zh: string; en: string }>;
export type ClosedHow = keyof typeof CLOSED_HOW;

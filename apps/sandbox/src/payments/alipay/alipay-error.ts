/** The gateway's error codes besides 10000. */
const MESSAGES = {
  '40001': 'Missing Required Arguments',
  '40002': 'Invalid Arguments',
  '40004': 'Business Failed',
} as const;

/** The sub-codes in use, with their code and message. */
const SUB_CODES = {
  'isv.missing-method': ['40001', '缺少方法名参数'],
  'isv.missing-app-id': ['40001', '缺少应用ID参数'],
  'isv.missing-signature': ['40001', '缺少签名参数'],
  'isv.missing-signature-type': ['40001', '缺少签名类型参数'],
  'isv.missing-timestamp': ['40001', '缺少时间戳参数'],
  'isv.missing-version': ['40001', '缺少版本参数'],
  'isv.invalid-method': ['40002', '不存在的方法名'],
  'isv.invalid-app-id': ['40002', '无效的应用ID'],
  'isv.invalid-signature': ['40002', '无效签名'],
  'isv.invalid-signature-type': ['40002', '无效的签名类型'],
  'isv.invalid-timestamp': ['40002', '非法的时间戳参数'],
  'isv.invalid-version': ['40002', '非法的版本参数'],
  'isv.invalid-format': ['40002', '无效的数据格式'],
  'isv.invalid-charset': ['40002', '字符集错误'],
  'isv.invalid-parameter': ['40002', '参数无效'],
  'ACQ.INVALID_PARAMETER': ['40004', '参数无效'],
  'ACQ.TOTAL_FEE_EXCEED': ['40004', '订单总金额不在允许范围内'],
  'ACQ.CONTEXT_INCONSISTENT': ['40004', '交易信息被篡改'],
  'ACQ.TRADE_HAS_SUCCESS': ['40004', '交易已被支付'],
  'ACQ.TRADE_HAS_CLOSE': ['40004', '交易已经关闭'],
  'ACQ.TRADE_NOT_EXIST': ['40004', '交易不存在'],
  'ACQ.TRADE_STATUS_ERROR': ['40004', '交易状态不合法'],
  'ACQ.REFUND_AMT_NOT_EQUAL_TOTAL': ['40004', '退款金额超限'],
  'ACQ.DISCORDANT_REPEAT_REQUEST': ['40004', '请求信息不一致'],
} as const satisfies Record<string, readonly [keyof typeof MESSAGES, string]>;

export type AlipaySubCode = keyof typeof SUB_CODES;

/** An error response. `detail`: which parameter, and why. */
export class AlipayError extends Error {
  constructor(
    readonly subCode: AlipaySubCode,
    detail = '',
  ) {
    super(SUB_CODES[subCode][1] + (detail && `：${detail}`));
  }

  /** The content of the response node. */
  get node(): Readonly<Record<string, string>> {
    const [code] = SUB_CODES[this.subCode];
    return { code, msg: MESSAGES[code], sub_code: this.subCode, sub_msg: this.message };
  }
}

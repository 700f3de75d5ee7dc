/** The gateway's errors: HTTP status and message. */
export const WECHAT_ERRORS = {
  PARAM_ERROR: { status: 400, message: '参数错误' },
  INVALID_REQUEST: { status: 400, message: '请求参数符合参数格式，但不符合业务规则' },
  MCH_NOT_EXISTS: { status: 400, message: '商户号不存在' },
  APPID_MCHID_NOT_MATCH: { status: 400, message: 'AppID和mch_id不匹配' },
  ORDER_CLOSED: { status: 400, message: '订单已关闭' },
  ORDERPAID: { status: 400, message: '该订单已支付' },
  SIGN_ERROR: { status: 401, message: '签名错误' },
  NO_AUTH: { status: 403, message: '商户无权限' },
  OUT_TRADE_NO_USED: { status: 403, message: '商户订单号重复' },
  ORDER_NOT_EXIST: { status: 404, message: '订单不存在' },
  RESOURCE_NOT_EXISTS: { status: 404, message: '退款单查询失败，订单不存在' },
  SYSTEM_ERROR: { status: 500, message: '系统异常，请用相同参数重新调用' },
} as const satisfies Record<string, { status: number; message: string }>;

export type WechatErrorCode = keyof typeof WECHAT_ERRORS;

/** An error response. `field`: the invalid field and its issue. */
export class WechatError extends Error {
  constructor(
    readonly code: WechatErrorCode,
    readonly field?: { readonly name: string; readonly issue: string },
  ) {
    super(field ? `${WECHAT_ERRORS[code].message}：${field.name} ${field.issue}` : WECHAT_ERRORS[code].message);
  }

  get status(): number {
    return WECHAT_ERRORS[this.code].status;
  }

  get body() {
    const { code, message, field } = this;
    return field ? { code, message, detail: { field: `/${field.name}`, issue: field.issue } } : { code, message };
  }
}

/** The gateway's refusals: its words by their code (9901 from LianLian's own sample code). */
export const LIANLIAN_ERRORS = {
  '1001': '商户签名错误',
  '1002': '商户订单号重复',
  '1003': '系统繁忙，请稍后再试',
  '1004': '请求参数错误',
  '2006': '订单已关闭',
  '2007': '订单已支付',
  '3001': '商户不存在',
  '5003': '退款金额大于可退金额',
  '5008': '原订单未支付，不能退款',
  '7017': '金额错误',
  '9901': '未查询到记录',
} as const satisfies Record<string, string>;

/** `detail`: which field, and why. */
export class LianlianError extends Error {
  constructor(
    readonly code: keyof typeof LIANLIAN_ERRORS,
    detail = '',
  ) {
    super(LIANLIAN_ERRORS[code] + (detail && `：${detail}`));
  }
}

const zh = {
  checking: '正在核对支付结果',
  paid: '支付成功',
  why_paid: '额度已到账，感谢你的支持。',
  confirming: '支付确认中',
  why_confirming: '支付网关的结果还没有到，这里会一直核对。款项到账后额度自动增加，不用重复付款。',
  unreachable: '网络不稳，正在重新核对。',
  closed: '订单已关闭',
  why_closed: '这笔订单没有完成支付。如果你已经付款，到账后仍会自动入账。',
  visitor: '登录后查看支付结果',
  why_visitor: '这里只显示订单号。支付结果以充值订单为准。',
  unknown: '没有可以核对的订单',
  why_unknown: '链接不完整，或这笔订单不属于当前账号。支付结果以充值订单为准。',
  orderNo: '订单号',
  amountPaid: '实付金额',
  credited: '本次到账',
  balance: '当前余额',
  expires: '有效期至',
  loading: '正在读取',
  soon: '{{seconds}} 秒后自动跳转到充值订单',
  jump: '立即跳转',
  seeOrders: '查看充值订单',
} as const;
export default zh;

declare module '../../../shared/i18n/messages.js' {
  interface Messages {
    'pay-success': typeof zh;
  }
}

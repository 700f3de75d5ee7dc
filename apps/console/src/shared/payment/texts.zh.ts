const zh = {
  chars: '{{n}} 字符',
  charsInTenThousands: '{{n}} 万字符',
  oneMonth: '1 个月',
  months: '{{n}} 个月',
  oneDay: '1 天',
  days: '{{n}} 天',
  opening: '正在打开支付宝付款页，请稍候',
  badForm: '付款页无法识别，没有提交任何内容。请换一种支付方式或联系客服',
  wechatTitle: '微信扫码支付',
  alipayTitle: '支付宝扫码支付',
  tabTitle: '支付宝付款',
  wechatQr: '微信付款二维码',
  alipayQr: '支付宝付款二维码',
  waiting: '等待支付，完成后自动跳转',
  unreachable: '网络不稳，正在重新核对支付结果',
  paid: '已支付，正在跳转',
  over: '订单已关闭，不能再支付。请重新下单',
  inTab: '付款页已在新标签页打开',
  inTabWhy: '请在那一页完成付款，这里会自动核对结果。',
  blocked: '浏览器拦截了付款页',
  blockedWhy: '点下面的按钮打开支付宝付款页。',
  openTab: '打开支付宝付款页',
  openTabAgain: '重新打开付款页',
  amount: '应付金额',
  orderNo: '订单号',
  memberType: '会员类型',
  charUser: '字符用户',
  timeUser: '包月用户',
  plan: '套餐',
  planAndSize: '{{name}}，{{size}}',
  quantity: '数量',
  closesIn: '后窗口自动关闭，订单保留在充值订单中',
  timeLeft: '窗口自动关闭前的剩余时间',
  closedItself: '支付窗口已自动关闭，订单保留在充值订单中',
  askTitle: '支付完成了吗？',
  askWhy: '选「已支付」将立即核对一次订单状态；选「未支付」将停止查询，订单仍保留在充值订单中。',
  recharged: '已支付',
  notRecharged: '未支付',
  notFound: '还没有查到这笔付款。到账后会自动入账，可在充值订单中查看',
} as const;
export default zh;

declare module '../i18n/texts.js' {
  interface Texts {
    payment: typeof zh;
  }
}

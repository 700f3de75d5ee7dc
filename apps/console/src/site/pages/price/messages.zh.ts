const zh = {
  title: '按字符，或按月。',
  validity: '有效期',
  fact_validity: '全部套餐 30 天',
  trial: '免费试用',
  fact_trial: '1 个月',
  payment: '支付',
  fact_payment: '微信、支付宝，其他方式请联系客服',
  currency: '币种',
  fact_currency: '人民币',
  plans: '套餐',
  charTitle: '按字符',
  charNote: '用多少扣多少，可建子账号共享额度',
  timeTitle: '按月',
  modeChar: '按字符',
  modeTime: '按月',
  timeNote: '不限字符，单人使用',
  unitPrice: '¥{{yuan}} / 万字符',
  noLimit: '不限字符',
  subAccounts: '可建子账号',
  noSubAccounts: '不支持子账号',
  chosen: '已选套餐',
  planLine: '{{name}} · {{mode}}',
  charsFor30Days: '{{size}}，30 天内有效',
  noLimitFor: '{{size}}内不限字符',
  worth: '各通道折合，价值相同',
  and: '、',
  point1: '文本、语音、图片翻译，200 多种语言',
  point2: '六个翻译通道，可随时切换',
  pointGifts: '含语音翻译 {{voice}} 次、图片翻译 {{image}} 次',
  pointSubAccounts: '子账号数量不限，额度按需分配',
  pointService: '7×24 小时客服',
  select: '选用并免费试用',
  selectMember: '选用并充值',
  selectNote: '免费试用 1 个月。未登录将先进入注册。',
  selectNoteMember: '下一步选择数量与支付方式。',
  selectNoteSub: '子账号不能充值，请联系主账号。',
  loadFailed: '套餐没有加载出来',
  empty: '暂时没有在售的套餐',
  emptyWhy: '仍可免费注册试用，或联系客服了解套餐。',
  contact: '联系客服',
} as const;
export default zh;

declare module '../../../shared/i18n/messages.js' {
  interface Messages {
    price: typeof zh;
  }
}

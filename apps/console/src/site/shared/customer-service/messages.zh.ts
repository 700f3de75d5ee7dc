const zh = {
  contactTitle: '联系我们',
  contactLead: '扫码或复制账号，直接找到我们。付款、转账前，请先验证对方是不是{{brand}}的客服。',
  preSale: '售前咨询',
  preSaleWhy: '套餐、报价、试用，注册之前想知道的都可以问。',
  afterSale: '售后咨询',
  afterSaleWhy: '使用中遇到问题，带上账号名，我们来查。',
  codeOf: '{{platform}} 二维码：{{account}}',
  copy: '复制',
  copied: '复制成功',
  copyAccount: '复制 {{platform}} 账号 {{account}}',
  openLink: '打开链接',
  openLinkOf: '打开链接：{{platform}} {{account}}',
  nobody: '暂无客服账号',
  nobodyWhy: '客服信息还没有配置，请稍后再来。',
  quickContact: '快捷联系',
  sales: '售前',
  support: '售后',
  scanSales: '扫码联系售前',
  scanSupport: '扫码联系售后',
  freeTest: '免费试用',
  verify: '客服验证',
  verifyWhy: '有人自称{{brand}}客服？',
  verifyHow: '输入对方的账号，立刻知道真假。',
  platform: '平台',
  choosePlatform: '请选择平台',
  platformsFailed: '平台列表加载失败。',
  telegramId: 'Telegram ID',
  wechatName: '微信名',
  accountCode: '账号代码',
  cancel: '取消',
  check: '验证',
  verified: '验证成功',
  verifiedWhy: '该账号是{{brand}}的官方客服。',
  attention: '请注意',
  attentionWhy: '该账号未经验证，请谨慎操作。',
  again: '再验证一个',
} as const;
export default zh;

declare module '../../../shared/i18n/messages.js' {
  interface Messages {
    'customer-service': typeof zh;
  }
}

const zh = {
  pageHome: '首页',
  homeTitle: '{{brand}} · 跨境卖家的聊天翻译：文本、语音与图片',
  pageLogin: '登录与注册',
  pageAgreement: '用户协议',
  pageExit: '退出登录',
  pagePrice: '价格标准',
  pageUseDoc: '使用文档',
  pageDevelopers: 'API 文档',
  pageContact: '联系我们',
  pageDownload: '下载',
  pageProductDesc: '产品教程',
  pagePrivacy: '隐私政策',
  pageRefund: '退款规则',
  pageStatus: '系统状态',
  pageLedgerProof: '账本证明',
  pageChangelog: '更新日志',
  pagePaySuccess: '支付结果',
  logIn: '登录',
  signUp: '免费注册',
  useOnPc: '请在PC端登录官网使用该功能！',
  codeOf: '{{platform}} 二维码：{{account}}',
  footProduct: '产品',
  footSupport: '支持',
} as const;
export default zh;

declare module '../shared/i18n/messages.js' {
  interface Messages {
    site: typeof zh;
  }
}

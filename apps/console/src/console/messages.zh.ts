const zh = {
  pageOverview: '总览',
  pageInfo: '个人资料',
  pageChangePassword: '修改密码',
  pageLoginLog: '登录日志',
  pageChild: '子账号管理',
  pageRecharge: '充值与订单',
  pageAccountLog: '账变日志',
  pageTranslationLog: '翻译日志',
  pageTranslationTest: '翻译测试',
  pageGlossary: '术语表',
  pageApiKeys: 'API 密钥',
  pageWebhook: 'Webhook',
  pageOrder: '充值订单',
  pageWorkSpace: '工作空间',
  sideMenu: '侧边菜单',
  offline: '网络已断开，恢复后自动更新',
  reconnecting: '实时更新已断开，正在重连',
  viewTitle: '以会员身份查看，只读',
  viewBy: '{{name}} 打开，{{time}} 结束',
  viewLeft: '还剩 {{time}}',
  viewEnd: '结束查看',
  viewClosed: '打不开这个会员',
  memberGroup: '会员中心',
  functionGroup: '功能管理',
  userMenu: '账号菜单',
  exit: '退出登录',
  noPermission: '当前账号不能查看此页',
  noPermissionWhy: '子账号不含此功能，请联系主账号。',
  toOverview: '返回总览',
  toHome: '首页',
  toPrice: '价格标准',
  toUseDoc: '使用文档',
  toDownload: '下载',
  toContact: '联系我们',
} as const;
export default zh;

declare module '../shared/i18n/messages.js' {
  interface Messages {
    console: typeof zh;
  }
}

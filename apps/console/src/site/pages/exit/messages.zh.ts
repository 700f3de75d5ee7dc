const zh = {
  done: '你已退出登录',
  soon: '{{seconds}} 秒后返回首页',
  now: '立即返回',
  again: '重新登录',
} as const;
export default zh;

declare module '../../../shared/i18n/messages.js' {
  interface Messages {
    exit: typeof zh;
  }
}

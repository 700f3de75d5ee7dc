const zh = {
  language: '示例语言',
  copy: '复制',
  copyNamed: '复制{{name}}',
  example: '{{language}} 示例',
  tableLabel: '{{title}}：表格',
  waitWebhooks: '正在加载…',
  webhooksFailed: '这部分内容加载失败，请刷新页面',
  waitTry: '正在准备试用…',
  visitorTry: '登录后可以在这里用自己的密钥发一次真实的请求。',
  signUp: '免费注册',
  logIn: '登录',
  tryFailed: '试用表单加载失败',
} as const;
export default zh;

declare module '../../../shared/i18n/messages.js' {
  interface Messages {
    developers: typeof zh;
  }
}

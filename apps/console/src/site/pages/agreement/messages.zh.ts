const zh = {
  title: '用户协议',
  updated: '更新日期：2026 年 11 月 20 日',
  inForce: '生效日期：2026 年 11 月 20 日',
  intro:
    '欢迎使用{{brand}}。本协议由你与{{brand}}的运营者（见本站页脚的版权信息，下称“我们”）就注册账号、使用文本、语音、图片翻译及相关服务订立。请在注册前完整阅读；勾选同意并完成注册，即表示你接受全部条款。',
  end: '全文完',
} as const;
export default zh;

declare module '../../../shared/i18n/messages.js' {
  interface Messages {
    agreement: typeof zh;
  }
}

const zh = {
  title: '{{page}}即将上线',
  why: '此页随下一版本开放。现在可以先试翻译，或查看账变日志里的每一笔额度。',
  whyVisitor: '此页随下一版本开放。现在可以注册账号，用真实的引擎试译。',
  backHome: '返回首页',
  test: '去试翻译',
  signUp: '免费注册',
} as const;
export default zh;

declare module '../../shared/i18n/texts.js' {
  interface Texts {
    later: typeof zh;
  }
}

const zh = {
  resetTitle: '找回密码',
  resetStep0: '验证账号',
  resetStep1: '设置新密码',
  resetStep2: '完成',
  resetWillSend: '将向 {{email}} 发送验证码',
  resetSentTo: '验证码已发往 {{email}}，10 分钟内有效。',
  resetNext: '发送验证码',
  resetSubmit: '确认修改',
  resetPrevious: '上一步',
  resetDone: '密码重置成功',
  resetDoneWhy: '其他设备上的登录已全部退出，请用新密码登录。',
  resetClose: '去登录',
  resetCancel: '取消',
  newPassword: '新密码',
  secondTitle: '两步验证',
  secondWhy: '这个账号开启了两步验证。请打开验证器应用，输入 Yiqiao 的 6 位动态码。',
  secondCode: '动态码',
  secondCodeHolder: '6 位动态码，或一个恢复码',
  secondLost: '手机不在身边？可以输入恢复码。恢复码也丢失时，请联系客服。',
  secondVerify: '验证并登录',
  secondVerifying: '登录中',
  secondBack: '返回，重新输入密码',
  switchTitle: '切换账号？',
  switchWhy: '这个链接会登录另一个账号。当前已登录：{{name}}。',
  switchKeep: '保持当前账号',
  switchGo: '切换账号',
  thisAccount: '当前账号',
} as const;
export default zh;

declare module '../../../../shared/i18n/messages.js' {
  interface Messages {
    steps: typeof zh;
  }
}

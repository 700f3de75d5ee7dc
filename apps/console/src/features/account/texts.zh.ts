const zh = {
  infoTitle: '个人资料',
  infoNote: '你的账号信息。邮箱和用户名在注册后不能更改。',
  nickname: '昵称',
  email: '邮箱',
  username: '用户名',
  kind: '账号类型',
  mainAccount: '主账号',
  subAccount: '子账号',
  memberGroup: '会员组',
  registered: '注册时间',
  password: '密码',
  hidden: '不显示',
  changePassword: '修改密码',
  copy: '复制',
  passwordTitle: '修改密码',
  passwordNote: '修改后，这个账号在所有设备上都需要重新登录。',
  byOldPassword: '用旧密码修改',
  byEmail: '用邮箱修改',
  oldPassword: '旧密码',
  newPassword: '新密码',
  repeat: '确认新密码',
  advice: '6–32 位。建议混用字母、数字和符号。',
  vcode: '验证码',
  send: '发送验证码',
  sending: '发送中',
  resend: '{{n}} 秒后重发',
  sent: '验证码发送成功，请前往邮箱查看',
  submit: '确认修改',
  done: '修改成功,请重新登陆',
} as const;
export default zh;

declare module '../../shared/i18n/texts.js' {
  interface Texts {
    account: typeof zh;
  }
}

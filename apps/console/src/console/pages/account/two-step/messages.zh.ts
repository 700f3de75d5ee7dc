const zh = {
  title: '两步验证',
  note: '登录时除密码外，还要输入动态码',
  failed: '两步验证状态加载失败',
  off: '未开启',
  on: '已开启',
  offWhy:
    '开启后，别人即使知道密码也无法登录你的账号。需要一个验证器应用，例如 Google Authenticator、Microsoft Authenticator 或 1Password。',
  since: '{{time}} 开启',
  left: '剩余 {{n}} 个恢复码',
  few: '恢复码快用完了，请更换。',
  turnOn: '开启两步验证',
  renew: '更换恢复码',
  turnOff: '关闭两步验证',
  password: '登录密码',
  next: '下一步',
  scan: '用验证器应用扫描二维码，再输入它显示的 6 位动态码。',
  qr: '两步验证的二维码',
  key: '无法扫码？手动输入密钥：',
  openApp: '在本机的验证器中打开',
  copy: '复制密钥',
  code: '动态码',
  codeOrRecovery: '动态码或恢复码',
  confirm: '确认开启',
  endsOthers: '开启后，其他设备会退出登录，再次登录时需要密码和动态码。',
  renewWhy: '更换后，之前的恢复码全部失效。',
  offConfirmWhy: '关闭后，登录只需要密码，恢复码也会失效。',
  codesTitle: '保存恢复码',
  codesWhy: '手机丢失时，可以用恢复码登录，每个只能用一次。关闭窗口后不再显示，请保存在手机以外的地方。',
  codes: '恢复码',
  copyCodes: '复制全部',
  saved: '我已保存',
  turnedOn: '两步验证已开启',
  turnedOff: '两步验证已关闭',
} as const;
export default zh;

declare module '../../../../shared/i18n/messages.js' {
  interface Messages {
    'two-step': typeof zh;
  }
}

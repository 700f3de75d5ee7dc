const zh = {
  label: '账号提醒',
  expired: '套餐已过期，充值后剩余额度恢复可用',
  trialOver: '试用已结束，选择一个套餐继续使用',
  trialOverSub: '试用已结束',
  ending: '套餐将于 {{date}} 到期，还剩 {{days}} 天',
  endingToday: '套餐将于今天 {{time}} 到期',
  trialEnding: '试用将于 {{date}} 结束，还剩 {{days}} 天',
  trialEndingToday: '试用将于今天 {{time}} 结束',
  low: '剩余 {{n}} 字符，低于你设定的 {{least}}',
  recharge: '充值',
  renew: '续期',
  choose: '选择套餐',
  askForQuota: '请联系主账号分配额度',
  askForRenewal: '请联系主账号续期',
  close: '关闭提醒',
} as const;
export default zh;

declare module '../../../shared/i18n/messages.js' {
  interface Messages {
    'package-warning': typeof zh;
  }
}

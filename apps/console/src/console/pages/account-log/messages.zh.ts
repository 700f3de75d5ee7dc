const zh = {
  title: '账变日志',
  note: '每一笔额度从哪里来，到哪里去，变动前后各是多少。',
  logType: '日志类型',
  anyType: '全部类型',
  time: '时间',
  type: '类型',
  change: '变动',
  amount: '数量',
  movement: '变动前 → 变动后',
  actor: '账号 / 来源',
  emptyTitle: '近 10 天没有账变',
  emptyWhy: '翻译一句话，这里就会多出一行。',
  emptyAction: '去翻译',
} as const;
export default zh;

declare module '../../../shared/i18n/messages.js' {
  interface Messages {
    'account-log': typeof zh;
  }
}

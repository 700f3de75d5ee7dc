const zh = {
  title: '登录日志',
  note: '每次登录的时间、地址与客户端。发现陌生登录，请立即修改密码。',
  ip: 'IP',
  clientType: '客户端',
  time: '登录时间',
  emptyTitle: '近 10 天没有登录记录',
  emptyWhy: '更早的登录可以换一个时间范围查看。有不认识的登录，请修改密码。',
  emptyAction: '修改密码',
} as const;
export default zh;

declare module '../../../shared/i18n/messages.js' {
  interface Messages {
    'login-log': typeof zh;
  }
}

const zh = {
  index: '序号',
  range: '时间范围',
  rangeBegin: '开始时间',
  rangeEnd: '结束时间',
  noCalendar: '日历没有加载出来，请检查网络后重试',
  ip: 'IP',
  ipHint: '完整 IP 地址',
  clientType: '客户端',
  anyClient: '全部客户端',
  query: '查询',
  reset: '重置',
  today: '今天',
  yesterday: '昨天',
  last3: '近 3 天',
  last7: '近 7 天',
  last10: '近 10 天',
  last30: '近 30 天',
  total: '共 {{n}} 条',
  noMatch: '没有符合条件的记录',
  noMatchWhy: '换一个时间范围，或清除筛选条件。',
  pastEnd: '这一页没有记录',
  pastEndWhy: '共 {{n}} 条记录，这一页已超出末尾。',
  toFirst: '回到第一页',
  failed: '日志没有加载出来',
  failedWhy: '{{why}}。你的数据不受影响。',
  stale: '最新的记录没有加载出来，下面是之前的。',
  again: '重试',
  newRows: '有新记录',
  showNewRows: '回到第一页查看',
  selected: '已选 {{n}} 项',
  unselect: '取消选择',
  batchDelete: '批量删除',
  showDetails: '展开明细',
  hideDetails: '收起明细',
  download: '下载 CSV',
  downloading: '正在下载 {{size}}',
  downloaded: '已下载 {{name}}',
  downloadBounded: '按 IP 或客户端筛选，文件含最近 {{n}} 条',
  totalBounded: '{{n}}+ 条：按 IP 或客户端筛选，只列出最近 {{n}} 条',
} as const;
export default zh;

declare module '../../../shared/i18n/messages.js' {
  interface Messages {
    logs: typeof zh;
  }
}

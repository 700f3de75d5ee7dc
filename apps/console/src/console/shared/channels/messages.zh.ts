const zh = {
  share: '成功率 {{share}}%',
  median: '中位 {{s}} 秒',
  p95: '95% 在 {{s}} 秒内',
  noTraffic: '近 24 小时没有请求，暂无统计',
  littleTraffic: '近 24 小时仅 {{n}} 次请求，不足以统计',
  statusFailed: '状态加载失败',
  perTenThousand: '¥{{yuan}} / 万字符',
} as const;
export default zh;

declare module '../../../shared/i18n/messages.js' {
  interface Messages {
    channels: typeof zh;
  }
}

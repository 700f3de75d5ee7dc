const zh = {
  title: '系统状态',
  lead: '各翻译通道最近 90 天的成功率、响应时间与故障，都来自真实的翻译请求，每分钟刷新。',
  target: '首页的 99.9% 翻译准确率是我们的目标，不是实测数据：译文准不准，要由人来判断。能够实测的，都列在这里。',
  noScript: '浏览器启用 JavaScript 后才能看到数据。',
  updated: '数据更新于 {{time}}',
  notRefreshed: '刷新失败，显示的是 {{time}} 的数据',
  how: '统计口径',
  howText:
    '只统计真实的翻译请求，不发探测请求。通道给出译文即为成功；响应时间是通道自身的耗时，分别取中位数与 95 分位。半小时内至少有 5 次请求且成功率低于 90%，记为一次故障。这些数据不代表译文质量。',
  channel: '通道',
  success: '成功率',
  median: '响应时间（中位数）',
  p95: '响应时间（95 分位）',
  requests: '请求数',
  days: '最近 90 天',
  daysOf: '{{name}}最近 90 天：{{good}} 天正常，{{bad}} 天有故障，{{none}} 天请求太少',
  day: '{{date}}：成功率 {{share}}%，{{requests}} 次请求',
  quietDay: '{{date}}：{{requests}} 次请求，不足以统计',
  share: '{{n}}%',
  ms: '{{n}} 毫秒',
  absent: '–',
  incidents: '故障',
  noIncidents: '最近 90 天没有故障。',
  allIncidents: '显示全部 {{n}} 次故障',
  incident: '{{begin}} 起，持续 {{minutes}} 分钟，成功率 {{share}}%',
  noRequests: '最近 90 天还没有翻译请求。有会员翻译之后，这里会显示数据。',
  none: '还没有可用的翻译通道',
  failed: '系统状态加载失败',
} as const;
export default zh;

declare module '../../../shared/i18n/messages.js' {
  interface Messages {
    status: typeof zh;
  }
}

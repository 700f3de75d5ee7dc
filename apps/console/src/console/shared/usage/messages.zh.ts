const zh = {
  chartDay: '{{month}} 月 {{day}} 日 {{weekday}}',
  today: '今日',
} as const;
export default zh;

declare module '../../../shared/i18n/messages.js' {
  interface Messages {
    usage: typeof zh;
  }
}

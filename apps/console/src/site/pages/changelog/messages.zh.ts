const zh = {
  title: '更新日志',
  lead: '每次更新给你带来什么变化。只写看得见的。',
  contents: '按日期',
} as const;
export default zh;

declare module '../../../shared/i18n/messages.js' {
  interface Messages {
    changelog: typeof zh;
  }
}

const zh = {
  title: '更新日志',
  lead: '每次更新对你有什么不同。只写看得见的变化。',
  contents: '按日期',
} as const;
export default zh;

declare module '../../../shared/i18n/messages.js' {
  interface Messages {
    changelog: typeof zh;
  }
}

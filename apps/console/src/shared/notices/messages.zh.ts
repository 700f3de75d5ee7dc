const zh = {
  notices: '公告',
  gotIt: '知道了',
  notAgainToday: '今天不再显示',
} as const;
export default zh;

declare module '../i18n/messages.js' {
  interface Messages {
    notices: typeof zh;
  }
}

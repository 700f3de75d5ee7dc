const zh = {
  contents: '本页内容',
  copy: '复制',
  copyNamed: '复制{{name}}',
} as const;
export default zh;

declare module '../../../shared/i18n/messages.js' {
  interface Messages {
    doc: typeof zh;
  }
}

const zh = { title: '即将上线' } as const;
export default zh;

declare module '../../shared/i18n/texts.js' {
  interface Texts {
    exit: typeof zh;
  }
}

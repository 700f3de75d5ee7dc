const zh = {
  change: '修改昵称',
  label: '昵称',
  changed: '修改成功',
  failed: '修改失败',
} as const;
export default zh;

declare module '../i18n/texts.js' {
  interface Texts {
    nickname: typeof zh;
  }
}

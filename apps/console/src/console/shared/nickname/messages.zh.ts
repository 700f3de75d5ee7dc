const zh = {
  change: '修改昵称',
  label: '昵称',
  changed: '修改成功',
  failed: '修改失败',
} as const;
export default zh;

declare module '../../../shared/i18n/messages.js' {
  interface Messages {
    nickname: typeof zh;
  }
}

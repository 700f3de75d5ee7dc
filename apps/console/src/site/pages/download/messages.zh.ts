const zh = {
  title: '下载',
  lead: '客户端在你的电脑上运行，把翻译带进聊天窗口。账号、额度和日志都在会员中心管理，不用安装。',
  version: '版本 {{version}}',
  size: '{{mb}} MB',
  checksum: 'SHA-256',
  news: '更新内容：{{notes}}',
  yourSystem: '你的系统',
  fetch: '下载',
  fetchNamed: '下载 {{label}}',
  choose: '选择版本',
  chooseNamed: '选择版本：{{label}}',
  failed: '下载列表加载失败',
  empty: '暂时没有可下载的软件',
  emptyWhy: '需要客户端请联系客服；会员中心的翻译测试不用安装，登录后即可使用。',
  contact: '联系客服',
  howTo: '怎样下载与安装',
} as const;
export default zh;

declare module '../../../shared/i18n/messages.js' {
  interface Messages {
    download: typeof zh;
  }
}

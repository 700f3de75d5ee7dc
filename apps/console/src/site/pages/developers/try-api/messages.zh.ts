const zh = {
  key: 'API 密钥',
  keyExample: 'yq_…',
  keyHint: '只在本页内存里，刷新即清除。没有密钥？',
  keyLink: '去新建',
  keyRequired: '请粘贴密钥',
  keyUrl: '链接令牌不能用在这里，请用 yq_ 开头的密钥',
  text: '原文',
  sample: '你好，这款还有货吗？',
  textRequired: '请输入原文',
  target: '译文语言',
  send: '发送请求',
  sending: '正在发送',
  costNote: '按字符扣减，与正式调用相同。',
  answer: '响应',
  status: 'HTTP {{status}}，{{ms}} 毫秒',
  notReached: '没有收到响应，请检查网络后重试。',
} as const;
export default zh;

declare module '../../../../shared/i18n/messages.js' {
  interface Messages {
    'try-api': typeof zh;
  }
}

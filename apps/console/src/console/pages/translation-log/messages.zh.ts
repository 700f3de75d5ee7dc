const zh = {
  title: '翻译日志',
  note: '每次翻译的内容、通道与费用。日志不保存原文和译文。',
  time: '时间',
  direction: '语言',
  content: '内容',
  words: '{{n}} 字符',
  charged: '扣减',
  chargedText: '−{{n}} 字符',
  chargedVoice: '−{{n}} 次语音',
  chargedImage: '−{{n}} 张图片',
  mode: '计费方式',
  char: '按字符',
  voiceMode: '按次',
  imageMode: '按张',
  timeMode: '按时长',
  channel: '通道',
  unknownChannel: '通道 {{id}}',
  source: 'IP / 客户端',
  status: '结果',
  ok: '成功',
  failed: '失败',
  notCharged: '未扣费',
  free: '不扣',
  times: '翻译 {{n}} 次',
  timesFailed: '失败 {{n}} 次',
  emptyTitle: '近 10 天没有翻译',
  emptyWhy: '翻译一句话，这里就会多出一行。',
  emptyAction: '去翻译',
} as const;
export default zh;

declare module '../../../shared/i18n/messages.js' {
  interface Messages {
    'translation-log': typeof zh;
  }
}

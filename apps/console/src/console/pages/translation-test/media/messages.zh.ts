const zh = {
  through: '通道 {{name}}',
  channel: '通道',
  noLanguage: '没有能识别并翻译的语言',
  notTranslated: '没有得到有效译文：文字可能不是所选的原文语言。',
  voices: '{{n}} 次语音',
  images: '{{n}} 张图片',
  left: '剩余',
  lack: '余额不足，还差 {{units}}。',
  toRecharge: '去充值',
  askMain: '请联系主账号分配额度。',
  refusedNotCharged: '本次未扣费，文件已保留。',
  refusedKept: '文件已保留。',
  refusedUnknown: '没有收到结果。原样重试不会重复扣费，文件已保留。',
  givenUp: '已停止等待',
  otherImage: '换一张图片',
  otherVoice: '换一段录音',
  correct: '手动改文字',
  sending: '正在上传',
  stillGoing: '已等 {{n}} 秒，最长 {{max}} 秒',
  giveUp: '停止等待',
  offline: '当前处于离线状态，联网后再发送。文件已保留。',
  abilitiesFailed: '通道能力加载失败',
  cannotVoice: '语音翻译暂不可用',
  cannotImage: '图片翻译暂不可用',
  cannotWhy: '你的通道现在不能处理这类内容。',
  cannotSwitch: '可以改用其他通道：',
  cannotWhySub: '主账号的通道现在不能处理这类内容，请联系主账号。',
  nothing: '能识别的语言里，没有一种能由你的通道翻译。',
  charged: '用时 {{s}} 秒，扣 {{units}}',
  seeLedger: '账变日志',
  copyResult: '复制译文',
  translate: '翻译',
  translating: '翻译中',
} as const;
export default zh;

declare module '../../../../shared/i18n/messages.js' {
  interface Messages {
    media: typeof zh;
  }
}

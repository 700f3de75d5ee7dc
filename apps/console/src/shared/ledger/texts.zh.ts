const zh = {
  chars: '{{n}} 字符',
  voice: '{{n}} 次语音',
  image: '{{n}} 张图片',
  days: '{{n}} 天',
  hours: '{{n}} 小时',
  minutes: '{{n}} 分钟',
  unchanged: '无额度变动',
  labelChar: '字符',
  labelVoice: '语音',
  labelImage: '图片',
  labelMin: '到期',
  noExpiry: '未开通',
  channel: '文本 · {{name}}',
  voiceChannel: '语音 · {{name}}',
  imageChannel: '图片 · {{name}}',
  unknownChannel: '通道 {{id}}',
  order: '订单 {{no}}',
  movement: '{{from}} → {{to}}',
  channelChange: '通道：{{from}} → {{to}}',
  modeChange: '{{from}} → {{to}}',
  modeChar: '按字符',
  modeTime: '按时长',
  freeUse: '用量 {{n}} 字符，包月期内不扣',
  paid: '支付 ¥{{yuan}}',
  bySystem: '系统',
  bySelf: '本账号',
  byMain: '主账号 {{name}}',
  byManager: '管理员 {{name}}',
  none: '–',
} as const;
export default zh;

declare module '../i18n/texts.js' {
  interface Texts {
    ledger: typeof zh;
  }
}

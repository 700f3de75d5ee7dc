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
  unknownChannel: '通道 {{id}}',
  notTranslations: '充值、划拨等',
  paid: '支付 ¥{{yuan}}',
  bySystem: '系统',
  bySelf: '本账号',
  byMain: '主账号 {{name}}',
  byManager: '管理员 {{name}}',
  none: '–',
  fieldUse: '用量',
  fieldPaid: '支付金额',
  fieldChannel: '翻译通道',
  fieldMode: '计费方式',
  fieldOrder: '订单号',
  fieldGroup: '会员组',
  fieldGroupChannel: '会员组通道',
  fieldGroupMode: '会员组计费方式',
  fieldConsumeChannel: '消费通道',
  fieldConfig: '翻译配置编号',
  fieldApiKey: 'API 密钥',
  fieldIp: 'IP',
  fieldMain: '主账号',
  fieldSub: '子账号',
  fieldManager: '管理员',
  managerId: '{{name}}（编号 {{id}}）',
  fieldReason: '原因',
  fieldId: '编号',
} as const;
export default zh;

declare module '../../../shared/i18n/messages.js' {
  interface Messages {
    ledger: typeof zh;
  }
}

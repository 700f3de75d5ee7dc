const zh = {
  title: '套餐与价格',
  note: '改价须由另一位财务或所有者批准；每次改价留有版本。',
  plans: '价目',
  channels: '通道换算价',
  channelsNote: '换通道与购买时按它折算',
  columnId: '编号',
  columnPlan: '套餐',
  columnMode: '计费',
  columnNum: '数量',
  columnMedia: '语音 / 图片',
  columnPrice: '售价',
  columnReference: '参考通道',
  columnSold: '近 30 天',
  columnOnSale: '在售',
  columnChannel: '通道',
  columnRate: '换算价',
  columnSince: '自',
  columnActions: '操作',
  mode_char: '按字符',
  mode_time: '按时长',
  minutes: '{{n}} 分钟',
  sold: '{{n}} 单',
  micro: '{{n}} 微元/字符',
  onSale: '在售',
  offSale: '不售',
  first: '一开始',
  change: '改',
  waits: '等待审批',
  ask: '申请改价：{{name}}',
  salePrice: '售价（元）',
  num: '数量（字符或分钟）',
  price: '换算价（微元/字符）',
  reason: '原因',
  reasonHint: '10 至 500 字，审批人会读到',
  reasonShort: '至少 10 个字',
  submit: '提交审批',
  cancel: '取消',
  asked: '已提交，等另一位操作员决定',
} as const;
export default zh;

declare module '../../../shared/i18n/messages.js' {
  interface Messages {
    prices: typeof zh;
  }
}

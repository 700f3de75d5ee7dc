const zh = {
  note: '谁，何时，对什么，为什么，之前与之后。只增不改，与账本一样成链；命令行也在内。',
  verify: '验证链',
  whole: '{{n}} 条操作，链完整',
  head: '链头',
  broken: '第 {{n}} 条起链断了',
  brokenWhy: '应为 {{expected}}，实为 {{found}}。从这一条起，日志不能作证。',
  download: '下载 CSV',
  actor: '操作员',
  action: '动作',
  target: '对象',
  targetHint: '编号或名字',
  time: '时间',
  from: '开始',
  to: '结束',
  any: '全部',
  reset: '重置',
  search: '查询',
  reason: '原因',
  change: '之前 → 之后 / 结果',
  request: '审批',
  chain: '链',
  rowWhole: '与上一条相连',
  rowBroken: '与上一条不相连',
  system: '系统',
  commandLine: '命令行',
  none: '没有符合条件的操作',
  noneHint: '换一个时间段或清空条件再试',
  total: '共 {{n}} 条',
  ip: '地址',
  session: '会话',
  requestId: '请求号',
  command: '命令号',
  hash: '哈希',
} as const;
export default zh;

declare module '../../../shared/i18n/messages.js' {
  interface Messages {
    actions: typeof zh;
  }
}

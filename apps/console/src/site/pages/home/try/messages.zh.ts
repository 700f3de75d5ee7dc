const zh = {
  source: '原文语言',
  target: '译文语言',
  counter: '{{n}} / {{max}} 字符',
  tooLong: '超出 {{n}} 字符。这里一次最多 {{max}} 字符，注册后可译更长的文本。',
  emptyText: '先写一句，或点一个例句。',
  translate: '翻译',
  examples: '买家常问',
  example1: '这款连衣裙有红色 L 码的现货吗？',
  example2: '运到墨西哥要多少天？',
  example3: '收到的杯子碎了，可以退款吗？',
  compareWith: '对照的通道',
  waiting: '译文和价格会显示在这里。',
  waitingOther: '它的价格会显示在这里。',
  busy: '正在翻译…',
  translation: '译文',
  gloss: '逐词释义',
  glossNote: '离线引擎没有把握译好这句，只给出逐词释义，不算译文。',
  state_signIn: '登录后就能看到它的译文。',
  state_failed: '这个通道这次没有给出译文，可以再试一次。',
  state_unsupported: '这个通道不支持这个语言方向。',
  state_unavailable: '本站暂未开通这个通道。',
  cost: '费用 {{n}} 字符 · ¥{{yuan}}',
  free: '免费',
  costNote: '字符数按新账号计算。',
  costNoteTrial: '字符数按新账号计算，注册即送 {{n}} 字符。',
  announced: '{{channel}}，{{kind}}：{{text}}',
  limit: '试用次数用完了，{{wait}}后可以再试。注册后不受此限。',
  seconds: '{{n}} 秒',
  minutes: '约 {{n}} 分钟',
  hours: '约 {{n}} 小时',
  offline: '当前没有联网，连上网络后再试。',
  broken: '翻译没有完成，请稍后再试。',
  signUp: '免费注册，看每个通道的译文',
  test: '到翻译测试页对照各通道',
  memoryTitle: '你的通道记得你的用词',
  memory: '品牌和型号写进术语表，每次都译成同一种写法；开启翻译记忆后，译过的句子不再扣字符。',
  memoryLink: '了解术语表和翻译记忆',
} as const;
export default zh;

declare module '../../../../shared/i18n/messages.js' {
  interface Messages {
    try: typeof zh;
  }
}

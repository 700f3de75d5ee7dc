const zh = {
  title: '翻译记忆',
  what: '译过的原文再次翻译时，直接给出记住的译文，不扣字符。只在同一主账号下共用，加密保存 {{days}} 天；翻译测试里可以重新翻译。',
  turnedOn: '已开启翻译记忆',
  turnedOff: '已关闭翻译记忆，记住的译文暂不使用',
  saved: '近 {{n}} 天省下',
  chars: '字符',
  answered: '近 {{n}} 天免费给出',
  texts: '条译文',
  kept: '现已记住',
  failed: '翻译记忆统计加载失败',
  forget: '全部清除',
  forgetOwn: '清除由我翻译的',
  forgetTitle: '清除记住的译文？',
  forgetWhat: '主账号和全部子账号的翻译记忆都会删除，之后再次翻译照常扣字符。省下的统计保留。',
  forgetOwnWhat: '由你翻译的内容会从翻译记忆中删除，之后再次翻译照常扣字符。省下的统计保留。',
  forgetVerb: '清除',
  forgotten: '已清除 {{n}} 条译文',
} as const;
export default zh;

declare module '../../../../shared/i18n/messages.js' {
  interface Messages {
    savings: typeof zh;
  }
}

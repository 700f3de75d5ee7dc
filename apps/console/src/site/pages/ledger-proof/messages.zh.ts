const zh = {
  title: '账本证明',
  lead: '每天结束时，全部账号的最后一条记录汇成一个 Merkle 根，与前一天的日结相连并签名，公开在这里。谁存下一份，谁就能发现此后的任何改写，包括我们自己的。',
  noScript: '浏览器启用 JavaScript 后才能看到列表。',
  failed: '日结列表加载失败',
  none: '还没有日结。每天零点过后会生成前一天的一份。',
  list: '每日日结',
  entries: '累计记录',
  accounts: '账号',
  root: 'Merkle 根',
  previous: '前一日结',
  signature: '签名',
  key: '公钥',
  more: '显示更早的日结',
  verify: '在浏览器里验证这个列表',
  verifying: '正在验证…',
  download: '下载这个列表（JSON）',
  whole: '{{n}} 个日结的签名全部有效，并且首尾相连。请把公钥与你早先存下的比对。',
  broken: '{{date}} 的日结：{{why}}',
  whySignature: '签名无效',
  whyHash: '散列值与内容不符',
  whyPrevious: '没有接在前一个日结之后',
  unable: '这个浏览器不能验证 Ed25519 签名。请换用新版浏览器，或下载列表后自行验证。',
  how: '怎样验证自己的余额',
  howText:
    '向客服索取自己账号的账本文件。文件里有全部记录，以及你的账号在最近两个日结中的位置和路径：从你的最后一条记录可以算到这里公布的 Merkle 根。账号以加密摘要表示，日结不会透露任何人的身份和余额。',
  howChain: '每一行都写着前一行的散列值。存下任意一行，以后的列表里就必须仍有它。',
} as const;
export default zh;

declare module '../../../shared/i18n/messages.js' {
  interface Messages {
    'ledger-proof': typeof zh;
  }
}

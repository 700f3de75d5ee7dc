import { operatorCommand } from '../../platform/cli-messages.js';

/** The messages of the ledger commands, in the language of the terminal. Numbers are already formatted. */
const many = (n: string, one: string, more: string): string => `${n} ${n === '1' ? one : more}`;
const entries = (n: string): string => many(n, 'entry', 'entries');
const accounts = (n: string): string => many(n, 'account', 'accounts');

/** An account, one of its entries, or the database (account 0). */
type Where = { userId: number; seq: number | null };
const whereEn = ({ userId, seq }: Where): string =>
  userId === 0 ? 'in the database' : `at account ${userId}${seq === null ? '' : `, entry ${seq}`}`;
const whereZh = ({ userId, seq }: Where): string =>
  userId === 0 ? '数据库' : `账号 ${userId}${seq === null ? '' : `，第 ${seq} 条记录`}`;

const en = {
  progress: (p: { done: string; total: string; share: number; rate: string; left: string }): string =>
    `  ${p.done} of ${entries(p.total)} (${p.share} %), ${p.rate}/s, ${p.left} left …`,
  differenceAt: (d: { userId: number; seq: number | null; field: string }): string =>
    `DIFFERENCE ${whereEn(d)}: ${d.field}`,
  expected: (value: string): string => `  expected ${value}`,
  found: (value: string): string => `  found    ${value}`,
  capCounter: '  A cap was checked against this counter: more may have been spent than the owner allowed.',
  consequence: (d: { userId: number; seq: number | null; field: string; expected: string; found: string }): string =>
    `    therefore ${whereEn(d)}: ${d.field}: expected ${d.expected}, found ${d.found}`,
  differences: (of: { findings: string; entries: string; accounts: string; took: string }): string =>
    `${many(of.findings, 'difference', 'differences')} in ${entries(of.entries)} of ${accounts(of.accounts)} (${of.took}).`,
  firstDifferences: (of: { findings: string; entries: string; accounts: string; took: string }): string =>
    `Stopped after ${many(of.findings, 'difference', 'differences')}, with ${entries(of.entries)} of ${accounts(of.accounts)} read (${of.took}). Use --all to list every one.`,
  whole: (of: { entries: string; accounts: string; took: string; one: boolean }): string =>
    `The ledger is intact: ${entries(of.entries)} ${of.one ? 'explains' : 'explain'} the balances of ${accounts(of.accounts)} (${of.took}).`,
  orders: (n: string): string =>
    `So are the orders: ${n === '1' ? '1 order matches its payment' : `${n} orders match their payments`}.`,
  sinceAnchors: (n: string): string =>
    `Read since the anchors: the earlier entries of ${accounts(n)} rest on signatures and were not read again.`,
  interrupted: 'Interrupted.',
  interruptedAfter: (userId: number): string =>
    `Interrupted after account ${userId}. Everything up to there is intact.`,
  goOn: (command: string): string => `Continue with: ${operatorCommand(command)}`,
  nothingToResume: (file: string): string => `Nothing to resume in ${file}: this audit starts at the first account.`,
  rewritten: (userId: number): string =>
    `Account ${userId} differs from what the earlier run checked: this audit starts at the first account.`,
  goingOn: (of: { userId: number; begun: string }): string =>
    `Continuing after account ${of.userId}; earlier accounts were checked by a run that started ${of.begun}.`,
  notRecorded: (why: string): string => `This run is not recorded for the operator console: ${why}.`,
  fromPrimary: 'The standby went away or cancelled the audit: it starts again at the primary.',
  noneAsOld: (at: string): string => `There are no entries before ${at}.`,
  stillToCome: (at: string): string => `${at} is in the future: these are the current balances.`,
  exported: (of: { file: string; entries: string; userId: number }): string =>
    `${of.file}: ${entries(of.entries)} of account ${of.userId}.`,
  head: (hash: string): string => `Head of the chain: ${hash}`,
  keep: 'Keep it separately from the database: rewritten entries cannot produce the same hash.',
  movable: (of: { accounts: string; entries: string; before: string }): string =>
    `${entries(of.entries)} of ${accounts(of.accounts)} from before ${of.before} can move to cold files.`,
  moving: (of: { accounts: string; entries: string }): string =>
    `  ${accounts(of.accounts)}, ${entries(of.entries)} moved …`,
  moved: (of: { accounts: string; entries: string; lines: string; megabytes: string }): string =>
    `Moved: ${entries(of.entries)} and ${many(of.lines, 'line', 'lines')} of ${accounts(of.accounts)}, ${of.megabytes} MB. Their logs begin after them now.`,
  stayed: (n: string): string =>
    `${accounts(n)} stayed as before: their entries differ (listed below), or a conversion waits for its price.`,
  verifying: (of: { accounts: string; entries: string }): string =>
    `  ${accounts(of.accounts)}, ${entries(of.entries)} proven …`,
  archivesWhole: (of: { accounts: string; entries: string }): string =>
    `The archives are intact: ${entries(of.entries)} of ${accounts(of.accounts)} replayed from the first one, cold files included.`,
  thawed: (of: { rows: string; userId: number }): string =>
    `Account ${of.userId}: ${many(of.rows, 'row', 'rows')} back in the database.`,
  toPartition: (of: { name: string; megabytes: string }): string =>
    `${of.name}: ${of.megabytes} MB. It is copied, so as much has to be free, and as much again for the write-ahead log.`,
  partitionedLog: (of: { name: string; rows: string; took: string }): string =>
    `  ${of.name}: ${many(of.rows, 'row', 'rows')} in ${of.took}`,
  partitioned: (parts: string): string =>
    `Both logs have ${parts} parts now. Check them before anybody writes again: ${operatorCommand('ledger audit')}`,
};

const zh: typeof en = {
  progress: (p) => `  ${p.done} / ${p.total} 条记录（${p.share} %），每秒 ${p.rate} 条，还需 ${p.left} …`,
  differenceAt: (d) => `发现差异：${whereZh(d)}：${d.field}`,
  expected: (value) => `  应为 ${value}`,
  found: (value) => `  实为 ${value}`,
  capCounter: '  用量上限按这个计数判断：实际用量可能已超出所设的上限。',
  consequence: (d) => `    由此：${whereZh(d)}：${d.field}：应为 ${d.expected}，实为 ${d.found}`,
  differences: (of) => `${of.accounts} 个账号的 ${of.entries} 条记录中共有 ${of.findings} 处差异（${of.took}）。`,
  firstDifferences: (of) =>
    `列出 ${of.findings} 处差异后停止，已核对 ${of.accounts} 个账号的 ${of.entries} 条记录（${of.took}）。加上 --all 可列出全部。`,
  whole: (of) => `账本完整：${of.entries} 条记录说明了 ${of.accounts} 个账号的余额（${of.took}）。`,
  orders: (n) => `订单同样完整：${n} 个订单与付款一致。`,
  sinceAnchors: (n) => `自锚点起核对：${n} 个账号在锚点之前的记录以签名为据，这次没有重读。`,
  interrupted: '已中断。',
  interruptedAfter: (userId) => `在账号 ${userId} 之后中断；到此为止全部完整。`,
  goOn: (command) => `继续请运行：${operatorCommand(command)}`,
  nothingToResume: (file) => `${file} 中没有可继续的进度：从第一个账号开始核对。`,
  rewritten: (userId) => `账号 ${userId} 与上次核对的结果不同：从第一个账号开始核对。`,
  goingOn: (of) => `从账号 ${of.userId} 之后继续；之前的部分由 ${of.begun} 开始的核对证明。`,
  notRecorded: (why) => `运营台里不会有这次核对的记录：${why}。`,
  fromPrimary: '备库不可用，或中断了核对：改从主库重新开始。',
  noneAsOld: (at) => `${at} 之前没有任何记录。`,
  stillToCome: (at) => `${at} 还没有到：以下是现在的余额。`,
  exported: (of) => `${of.file}：账号 ${of.userId} 的 ${of.entries} 条记录。`,
  head: (hash) => `链首哈希：${hash}`,
  keep: '请与数据库分开保存：没有人能改写这些记录而得到同样的哈希。',
  movable: (of) => `${of.before} 之前，${of.accounts} 个账号的 ${of.entries} 条记录可以移入冷文件。`,
  moving: (of) => `  已移出 ${of.accounts} 个账号的 ${of.entries} 条记录 …`,
  moved: (of) =>
    `已移出 ${of.accounts} 个账号的 ${of.entries} 条记录、${of.lines} 条翻译明细，共 ${of.megabytes} MB；这些账号的日志从其后开始。`,
  stayed: (n) => `${n} 个账号保持原样：记录有差异（见下），或有换算还在等待价格。`,
  verifying: (of) => `  已核对 ${of.accounts} 个账号的 ${of.entries} 条记录 …`,
  archivesWhole: (of) => `归档完整：连同冷文件，${of.accounts} 个账号的 ${of.entries} 条记录从第一条起全部核对无误。`,
  thawed: (of) => `账号 ${of.userId}：${of.rows} 行已放回数据库。`,
  toPartition: (of) => `${of.name}：${of.megabytes} MB。数据会整体复制，请另留同样大小的空间，预写日志也需要同样多。`,
  partitionedLog: (of) => `  ${of.name}：${of.rows} 行，用时 ${of.took}`,
  partitioned: (parts) =>
    `两个日志表现在各有 ${parts} 个分区。恢复服务之前请先核对：${operatorCommand('ledger audit')}`,
};

export const MESSAGES = { zh, en } as const;

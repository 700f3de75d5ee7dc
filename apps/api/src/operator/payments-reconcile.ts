import { readFileSync } from 'node:fs';
import { CommandBus } from '@nestjs/cqrs';
import { dateTime } from '@yiqiao/contracts/fields';
import { DAY_MS } from '@yiqiao/domain/limits';
import { STATEMENT_BYTES_MAX } from '@yiqiao/domain/reconciliation';
import type { Range } from '../operators/payments/compare-statements.js';
import { ImportStatements } from '../operators/payments/import-statements.js';
import { OrderRuns } from '../operators/payments/order-runs.js';
import { GATEWAYS } from '../orders/payments-texts.js';
import { Clock } from '../platform/clock.js';
import { CommandError, UsageError, type Text } from '../platform/cli-messages.js';
import { readArguments, requireWords } from './command-line.js';
import { sentenceOf } from './difference-sentences.js';
import { logOf, systemUser } from './managers.js';
import type { Operator, OperatorTask } from './operator-app.js';

const DAYS = 31;
const PROGRESS_MS = 2_000;
const SETTLE = '--settle';

/**
 * `payments reconcile [--from "…"] [--to "…"] [--settle]`: compares the orders of that time with gateway, payment and ledger. Exits
 * with 1 on any difference. `--settle` credits orders that are paid, as a notification would. `--statement file…` compares statement files
 * of Alipay and WeChat Pay with our payments instead; `--from` and `--to` then are their days.
 */
export function paymentsReconcile(args: string[]): OperatorTask {
  const mode = args.includes(SETTLE) ? 'settle' : 'look';
  const parsed = readArguments(
    args.filter((arg) => arg !== SETTLE),
    { options: ['from', 'to', 'statement'] },
  );
  const statement = parsed.options.get('statement');
  if (statement === undefined) requireWords(parsed, []);
  const from = momentOf('--from', parsed.options.get('from'), '00:00:00');
  const to = momentOf('--to', parsed.options.get('to'), '23:59:59');
  if (statement !== undefined) {
    if (mode === 'settle' || (from === null) !== (to === null))
      throw new UsageError({
        zh: '--statement 不能与 --settle 同用；--from 与 --to 要么都写，要么都不写',
        en: '--statement cannot be combined with --settle, and needs both --from and --to or neither.',
      });
    return (operator) => {
      const clock = operator.app.get(Clock);
      const days = from === null || to === null ? null : { from: clock.fromWire(from), to: clock.endOfWire(to) };
      return importFiles(operator, [statement, ...parsed.words], days);
    };
  }
  return async (operator) => {
    const clock = operator.app.get(Clock);
    const range = {
      from: from === null ? new Date(clock.now().getTime() - DAYS * DAY_MS) : clock.fromWire(from),
      to: to === null ? clock.now() : clock.endOfWire(to),
    };
    await compareOrders(operator, range, mode);
  };
}

async function importFiles({ app, language, print }: Operator, names: readonly string[], days: Range | null) {
  const files = names.map((name) => ({ name, bytes: read(name) }));
  const command = new ImportStatements(files, days, { actor: `cli:${systemUser()}` });
  const { compared, differences } = await app.get(CommandBus).execute(command);
  for (const { gateway, lines } of compared) {
    const name = GATEWAYS[gateway];
    print({ zh: `${name.zh}：${lines.length} 笔`, en: `${name.en}: ${lines.length} lines` }[language]);
    for (const each of differences)
      if (each.gateway === gateway) print(`  ${each.orderNo}: ${sentenceOf(each)[language]}`);
  }
  // What was recorded late matches all the same.
  const count = differences.filter(({ what }) => what !== 'late').length;
  if (count > 0)
    throw new CommandError({ zh: `${count} 处与对账单不一致`, en: `${count} differences from the statements.` });
  print({ zh: '与对账单全部一致', en: 'Everything matches the statements.' }[language]);
}

function read(file: string): Buffer {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    throw new UsageError({ zh: `无法读取文件 ${file}`, en: `Cannot read the file ${file}.` });
  }
  if (bytes.length > STATEMENT_BYTES_MAX)
    throw new UsageError({ zh: `${file} 超过 32 MiB`, en: `${file} is larger than 32 MiB.` });
  return bytes;
}

async function compareOrders(operator: Operator, range: Range, mode: 'look' | 'settle'): Promise<void> {
  const { app, language, print } = operator;
  const clock = app.get(Clock);
  const runs = app.get(OrderRuns, { strict: false });
  const run = await runs.start(range, { actor: `cli:${systemUser()}` });
  const [begin, end] = [clock.toWire(range.from), clock.toWire(range.to)];
  print({ zh: `${begin} 至 ${end}：${run.total} 个订单`, en: `${begin} to ${end}: ${run.total} orders` }[language]);
  const counts = { done: 0, differing: 0, mended: 0 };
  let lastProgress = Date.now();
  await runs.carryOut(run, {
    mode,
    log: logOf(operator),
    onOrder: (order, differences) => {
      counts.done++;
      if (order.mended) counts.mended++;
      if (differences.length > 0) counts.differing++;
      for (const difference of differences) print(`  ${order.no}: ${sentenceOf(difference)[language]}`);
      if (Date.now() - lastProgress < PROGRESS_MS) return;
      lastProgress = Date.now();
      print(progress(counts.done, run.total)[language]);
    },
  });
  if (counts.mended > 0)
    print({ zh: `补入账 ${counts.mended} 个订单`, en: `${counts.mended} orders credited now` }[language]);
  if (counts.differing > 0)
    throw new CommandError({
      zh: `${counts.differing} 个订单不一致（共核对 ${counts.done} 个）`,
      en: `${counts.differing} of ${counts.done} orders differ.`,
    });
  print({ zh: `${counts.done} 个订单全部一致`, en: `All ${counts.done} orders match.` }[language]);
}

/** A day, or a moment of it. */
export function momentOf(name: string, text: string | undefined, time: string): string | null {
  if (text === undefined) return null;
  const moment = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text} ${time}` : text;
  if (dateTime.safeParse(moment).success) return moment;
  throw new UsageError({
    zh: `${name} 应为 YYYY-MM-DD 或 "YYYY-MM-DD HH:mm:ss"，而不是 ${text}`,
    en: `${name} must be YYYY-MM-DD or "YYYY-MM-DD HH:mm:ss", not ${text}`,
  });
}

const progress = (done: number, total: number): Text => {
  const percent = Math.min(100, Math.floor((done * 100) / Math.max(1, total)));
  return { zh: `  已核对 ${done} / ${total}（${percent} %）…`, en: `  ${done} of ${total} orders (${percent} %) …` };
};

import { EntityManager } from '@mikro-orm/postgresql';
import { CommandBus } from '@nestjs/cqrs';
import { fenOf, yuanOf } from '@yiqiao/domain/orders';
import { RecordRefund } from '../orders/orders.js';
import { UsageError } from '../platform/cli-messages.js';
import { readArguments, requireWords } from './command-line.js';
import { managerIdOf, motiveOf } from './managers.js';
import { chosenPayment } from './payments-refund.js';
import { findOrder, paymentsOf } from './payments-rows.js';
import type { Work } from './product.js';

/**
 * `payments record-refund <orderNo> --reason "…" [--amount yuan] [--no number] [--by name] [--trade number]`: money that was given back on
 * the gateway's own pages. Its share of the quota is taken back as far as it is unused; what was used is named.
 */
export function paymentsRecordRefund(args: string[]): Work {
  const typed = readArguments(args, { options: ['reason', 'amount', 'no', 'by', 'trade'] });
  const [no = ''] = requireWords(typed, ['orderNo']);
  const { manager, reason } = motiveOf(typed);
  const amount = amountIn(typed.options.get('amount'));
  const refundNo = typed.options.get('no') ?? null;
  if (refundNo !== null && !/^[\w|*@-]{1,64}$/.test(refundNo))
    throw new UsageError({ zh: '--no 为网关上的退款单号', en: '--no is the number of the refund at the gateway.' });
  return async ({ app, language, say }) => {
    const em = app.get(EntityManager).fork();
    const order = await findOrder(em, no);
    const payment = chosenPayment(await paymentsOf(em, order.id), typed.options.get('trade'));
    const managerId = await managerIdOf(em, manager);
    const command = new RecordRefund(payment.id, { amount, refundNo }, { managerId, reason });
    const done = await app.get(CommandBus).execute(command);
    const yuan = yuanOf(done.amount);
    say(
      { zh: `订单 ${no}：已记录退款 ${yuan} 元`, en: `Order ${no}: a refund of ${yuan} yuan is recorded.` }[language],
    );
    const kind = { characters: { zh: '字符', en: 'characters' }, minutes: { zh: '分钟', en: 'minutes' } }[done.kind];
    const [taken, used] = [done.taken, done.due - done.taken].map((n) => n.toLocaleString('en-US'));
    say({ zh: `  收回 ${taken} ${kind.zh}`, en: `  ${taken} ${kind.en} were taken back.` }[language]);
    if (done.taken < done.due)
      say(
        {
          zh: `  另有 ${used} ${kind.zh}已被使用，无法收回`,
          en: `  ${used} ${kind.en} more were used before and cannot be taken back.`,
        }[language],
      );
  };
}

function amountIn(text: string | undefined): number | null {
  if (text === undefined) return null;
  const fen = fenOf(text);
  if (fen === null || fen < 1)
    throw new UsageError({
      zh: `--amount 为金额（元），例如 12.50，而不是 ${text}`,
      en: `--amount is in yuan such as 12.50, not ${text}`,
    });
  return fen;
}

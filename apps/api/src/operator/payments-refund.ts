import { EntityManager } from '@mikro-orm/postgresql';
import { CommandBus } from '@nestjs/cqrs';
import { yuanOf, fenOf } from '@yiqiao/domain/orders';
import { ExecuteRefund, StartRefund, RecordRefund } from '../orders/orders.js';
import { CommandError, UsageError, type Language } from '../platform/cli-messages.js';
import { readArguments, requireWords } from './command-line.js';
import { logOf, managerIdOf, managerAndReason } from './managers.js';
import type { Payment } from '../orders/payments.js';
import { findOrder, paymentsOf } from './payments-rows.js';
import { VERDICTS } from '../orders/payments-texts.js';
import type { OperatorTask } from './operator-app.js';

/**
 * `payments refund <orderNo> --reason "…" [--by name] [--trade number]`: refunds a payment; `--trade` selects one where an order has
 * several. Takes back the unused part of the purchased quota first and refunds its share of the money (docs/decisions/0043).
 */
export function paymentsRefund(args: string[]): OperatorTask {
  const parsed = readArguments(args, { options: ['reason', 'by', 'trade'] });
  const [no = ''] = requireWords(parsed, ['orderNo']);
  const { manager, reason } = managerAndReason(parsed);
  return async ({ app, language, print }) => {
    const em = app.get(EntityManager).fork();
    const commands = app.get(CommandBus);
    const order = await findOrder(em, no);
    const payment = chosenPayment(await paymentsOf(em, order.id), parsed.options.get('trade'));
    const managerId = await managerIdOf(em, manager);
    const started = await commands.execute(new StartRefund(payment.id, { managerId, reason, log: logOf({ app }) }));
    const { refundNo, amount, paid } = started;
    const head = { zh: `订单 ${no}，退款 ${refundNo}`, en: `Order ${no}, refund ${refundNo}` };
    const part = { zh: `（付款 ${yuanOf(paid)} 元中未使用的部分）`, en: ` (the unused part of ${yuanOf(paid)})` };
    print(
      `${head[language]}: ${yuanOf(amount)} ${{ zh: '元', en: 'yuan' }[language]}${amount < paid ? part[language] : ''}`,
    );
    const outcome = await commands.execute(new ExecuteRefund(payment.id));
    if (outcome === 'refused')
      throw new CommandError({
        zh: '  支付网关拒绝退款，收回的额度（如有）已归还；见 payments exceptions',
        en: '  The gateway refused the refund, and the quota was returned. See payments exceptions.',
      });
    print(`  ${OUTCOMES[outcome][language]}`);
  };
}

const OUTCOMES = {
  done: { zh: '已退款', en: 'The money was refunded.' },
  started: {
    zh: '网关尚无最终答复，后台会继续询问；见 payments exceptions',
    en: 'The gateway has not decided yet. The worker will keep checking. See payments exceptions.',
  },
} as const;

/** The payment with the given number; without one the credited payment, or the only one. */
export function chosenPayment(payments: readonly Payment[], trade: string | undefined): Payment {
  if (payments.length === 0) throw new CommandError({ zh: '这个订单没有付款', en: 'This order has no payments.' });
  const listIn = (language: Language): string =>
    payments
      .map(({ tradeNo, amount, verdict }) => `\n  ${tradeNo} ¥${yuanOf(amount)} ${VERDICTS[verdict][language]}`)
      .join('');
  const listed = { zh: listIn('zh'), en: listIn('en') };
  if (trade !== undefined) {
    const named = payments.find(({ tradeNo }) => tradeNo === trade);
    if (named) return named;
    throw new CommandError({ zh: `没有交易 ${trade}：${listed.zh}`, en: `No such trade ${trade}:${listed.en}` });
  }
  const [only, ...others] = payments;
  if (only && others.length === 0) return only;
  throw new UsageError({
    zh: `这个订单有多笔付款，请用 --trade 指明：${listed.zh}`,
    en: `There are several payments. Choose one with --trade:${listed.en}`,
  });
}

/**
 * `payments record-refund <orderNo> --reason "…" [--amount yuan] [--no number] [--by name] [--trade number]`: records a refund made on
 * the gateway's own pages. Takes back its share of the quota as far as it is unused and prints the used part.
 */
export function paymentsRecordRefund(args: string[]): OperatorTask {
  const parsed = readArguments(args, { options: ['reason', 'amount', 'no', 'by', 'trade'] });
  const [no = ''] = requireWords(parsed, ['orderNo']);
  const { manager, reason } = managerAndReason(parsed);
  const amount = amountIn(parsed.options.get('amount'));
  const refundNo = parsed.options.get('no') ?? null;
  if (refundNo !== null && !/^[\w|*@-]{1,64}$/.test(refundNo))
    throw new UsageError({
      zh: '--no 为网关上的退款单号',
      en: '--no must be the number of the refund at the gateway.',
    });
  return async ({ app, language, print }) => {
    const em = app.get(EntityManager).fork();
    const order = await findOrder(em, no);
    const payment = chosenPayment(await paymentsOf(em, order.id), parsed.options.get('trade'));
    const managerId = await managerIdOf(em, manager);
    const by = { managerId, reason, log: logOf({ app }) };
    const command = new RecordRefund(payment.id, { amount, refundNo }, by);
    const done = await app.get(CommandBus).execute(command);
    const yuan = yuanOf(done.amount);
    print({ zh: `订单 ${no}：已记录退款 ${yuan} 元`, en: `Order ${no}: recorded a refund of ${yuan} yuan.` }[language]);
    const kind = { characters: { zh: '字符', en: 'characters' }, minutes: { zh: '分钟', en: 'minutes' } }[done.kind];
    const [taken, used] = [done.taken, done.due - done.taken].map((n) => n.toLocaleString('en-US'));
    print({ zh: `  收回 ${taken} ${kind.zh}`, en: `  ${taken} ${kind.en} were taken back.` }[language]);
    if (done.taken < done.due)
      print(
        {
          zh: `  另有 ${used} ${kind.zh}已被使用，无法收回`,
          en: `  Another ${used} ${kind.en} had already been used and cannot be taken back.`,
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
      en: `--amount must be in yuan, such as 12.50, not ${text}`,
    });
  return fen;
}

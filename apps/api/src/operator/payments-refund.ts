import { EntityManager } from '@mikro-orm/postgresql';
import { CommandBus } from '@nestjs/cqrs';
import { yuanOf } from '@yiqiao/domain/orders';
import { CarryOutRefund, StartRefund } from '../orders/orders.js';
import { readArguments, requireWords } from './command-line.js';
import { managerIdOf, motiveOf } from './managers.js';
import { findOrder, paymentsOf, type PaymentRow } from './payments-rows.js';
import { VERDICTS } from './payments-texts.js';
import type { Work } from './product.js';
import { CommandError, UsageError, type Language } from '../platform/cli-messages.js';

/**
 * `payments refund <orderNo> --reason "…" [--by name] [--trade number]`: gives a payment back, `--trade` says which where an order has
 * several. What is unused of the quota that it bought is taken back first, and its share of the money goes back (docs/decisions/0043).
 */
export function paymentsRefund(args: string[]): Work {
  const typed = readArguments(args, { options: ['reason', 'by', 'trade'] });
  const [no = ''] = requireWords(typed, ['orderNo']);
  const { manager, reason } = motiveOf(typed);
  return async ({ app, language, say }) => {
    const em = app.get(EntityManager).fork();
    const commands = app.get(CommandBus);
    const order = await findOrder(em, no);
    const payment = chosenPayment(await paymentsOf(em, order.id), typed.options.get('trade'));
    const managerId = await managerIdOf(em, manager);
    const started = await commands.execute(new StartRefund(payment.id, { managerId, reason }));
    const { refundNo, amount, paid } = started;
    const head = { zh: `订单 ${no}，退款 ${refundNo}`, en: `Order ${no}, refund ${refundNo}` };
    const part = { zh: `（付款 ${yuanOf(paid)} 元中未使用的部分）`, en: ` (what is unused of ${yuanOf(paid)})` };
    say(
      `${head[language]}: ${yuanOf(amount)} ${{ zh: '元', en: 'yuan' }[language]}${amount < paid ? part[language] : ''}`,
    );
    const outcome = await commands.execute(new CarryOutRefund(payment.id));
    if (outcome === 'refused')
      throw new CommandError({
        zh: '  支付网关拒绝退款，收回的额度（如有）已归还；见 payments exceptions',
        en: '  The gateway refused the refund; what quota was taken is back. See payments exceptions.',
      });
    say(`  ${OUTCOMES[outcome][language]}`);
  };
}

const OUTCOMES = {
  done: { zh: '已退款', en: 'The money went back.' },
  started: {
    zh: '网关尚无最终答复，后台会继续询问；见 payments exceptions',
    en: 'The gateway has not decided yet; the worker goes on asking. See payments exceptions.',
  },
} as const;

/** The payment that is meant: by its number; else the one that was credited, or the only one there is. */
export function chosenPayment(payments: readonly PaymentRow[], trade: string | undefined): PaymentRow {
  if (payments.length === 0) throw new CommandError({ zh: '这个订单没有付款', en: 'Nothing was paid for this order.' });
  const listIn = (language: Language): string =>
    payments
      .map(({ tradeNo, amount, verdict }) => `\n  ${tradeNo} ¥${yuanOf(amount)} ${VERDICTS[verdict][language]}`)
      .join('');
  const listed = { zh: listIn('zh'), en: listIn('en') };
  if (trade !== undefined) {
    const named = payments.find(({ tradeNo }) => tradeNo === trade);
    if (named) return named;
    throw new CommandError({ zh: `没有交易 ${trade}：${listed.zh}`, en: `There is no trade ${trade}:${listed.en}` });
  }
  const [only, ...others] = payments;
  if (only && others.length === 0) return only;
  throw new UsageError({
    zh: `这个订单有多笔付款，请用 --trade 指明：${listed.zh}`,
    en: `There are several payments; say which by --trade:${listed.en}`,
  });
}

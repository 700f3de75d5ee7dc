import { QueryBus } from '@nestjs/cqrs';
import { yuanOf, type Gateway } from '@yiqiao/domain/orders';
import { ListExceptions, type PaymentException } from '../orders/orders.js';
import { Clock } from '../platform/clock.js';
import { readArguments, requireWords } from './command-line.js';
import { EXCEPTIONS, GATEWAYS } from '../orders/payments-texts.js';
import type { Operator, OperatorTask } from './operator-app.js';
import { table } from './table.js';

const HEAD = {
  zh: ['情况', '时间', '网关', '订单', '交易', '金额(元)', '次数', '网关的话'],
  en: ['what', 'time', 'gateway', 'order', 'trade', 'amount (yuan)', 'times', 'the gateway’s words'],
} as const;

/** `payments exceptions`: payments that need an operator, newest first, each with what to do. */
export function paymentsExceptions(args: string[]): OperatorTask {
  requireWords(readArguments(args, {}), []);
  return async (operator) => {
    const { app, language, print } = operator;
    const found = await app.get(QueryBus).execute(new ListExceptions());
    if (found.length === 0) {
      print({ zh: '没有需要处理的付款', en: 'No payments need attention.' }[language]);
      return;
    }
    print(
      table(
        HEAD[language],
        found.map((each) => cells(each, operator)),
      ),
    );
    print('');
    const kinds = [...new Set(found.map(({ what }) => what))];
    for (const kind of kinds) print(`${EXCEPTIONS[kind].is[language]}: ${EXCEPTIONS[kind].todo[language]}`);
  };
}

function cells(each: PaymentException, { app, language }: Operator): string[] {
  const { what, at, gateway, orderNo, tradeNo, amount, times, why } = each;
  return [
    EXCEPTIONS[what].is[language],
    app.get(Clock).toWire(at),
    gateway in GATEWAYS ? GATEWAYS[gateway as Gateway][language] : '–',
    orderNo ?? '–',
    tradeNo ?? '–',
    amount === null ? '–' : yuanOf(amount),
    String(times),
    why ?? '',
  ];
}

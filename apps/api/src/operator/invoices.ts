import { EntityManager } from '@mikro-orm/postgresql';
import { CommandBus } from '@nestjs/cqrs';
import { INVOICE_KINDS, INVOICE_STATES, type InvoiceKind, type InvoiceState } from '@yiqiao/domain/invoices';
import { yuanOf } from '@yiqiao/domain/orders';
import { AnswerInvoice, type InvoiceAnswer } from '../orders/orders.js';
import { Clock } from '../platform/clock.js';
import { UsageError } from '../platform/cli-messages.js';
import { integer, type ParsedArguments, readArguments, requireWords, sentence } from './command-line.js';
import { authorOf, managerAndReason } from './managers.js';
import type { OperatorTask } from './operator-app.js';
import { table } from './table.js';

const HEAD = {
  zh: ['编号', '状态', '申请时间', '订单号', '金额（元）', '类型', '发票抬头', '税号', '邮箱', '说明'],
  en: ['id', 'state', 'requested', 'order', 'yuan', 'kind', 'title', 'tax number', 'e-mail', 'note'],
} as const;

type Row = {
  id: number;
  state: InvoiceState;
  requested_at: Date;
  no: string;
  amount: string;
  kind: InvoiceKind;
  title: string;
  tax_no: string | null;
  email: string;
  note: string | null;
};

const REASON_MAX = 200;

/** `invoices list [--state requested|issued|rejected]`: requests for invoices, oldest first; without a state those that wait. */
export function invoicesList(args: string[]): OperatorTask {
  const parsed = readArguments(args, { options: ['state'] });
  requireWords(parsed, []);
  const state = parsed.options.get('state') ?? 'requested';
  if (!Object.hasOwn(INVOICE_STATES, state)) {
    const list = Object.keys(INVOICE_STATES).join(', ');
    throw new UsageError({ zh: `--state 应为 ${list} 之一`, en: `--state must be one of ${list}.` });
  }
  return async ({ app, language, print }) => {
    const rows = await app.get(EntityManager).fork().execute<Row[]>(LIST, [state]);
    const clock = app.get(Clock);
    const cells = rows.map((row) => [
      String(row.id),
      INVOICE_STATES[row.state][language],
      clock.toWire(new Date(row.requested_at)),
      row.no,
      yuanOf(Number(row.amount)),
      INVOICE_KINDS[row.kind][language],
      row.title,
      row.tax_no ?? '–',
      row.email,
      row.note ?? '–',
    ]);
    const none = { zh: '没有这样的开票申请', en: 'No such request.' };
    print(cells.length > 0 ? table(HEAD[language], cells) : none[language]);
  };
}

// Raw SQL: a report that joins two tables.
const LIST = `
SELECT i.id, i.state, i.requested_at, o.no, i.amount, i.kind, i.title, i.tax_no, i.email, coalesce(i.invoice_no, i.reason) AS note
FROM invoice_request i JOIN recharge_order o ON o.id = i.order_id WHERE i.state = ? ORDER BY i.id LIMIT 1000`;

/** `invoices issue <id> [--number n] [--by name]`: the invoice was issued and sent; the member sees and is mailed that. */
export function invoicesIssue(args: string[]): OperatorTask {
  const parsed = readArguments(args, { options: ['number', 'by', 'reason'] });
  const number = parsed.options.get('number');
  if (number !== undefined && !/^[0-9A-Za-z-]{1,32}$/.test(number))
    throw new UsageError({
      zh: '--number 应为 1–32 位数字或字母',
      en: '--number must have 1–32 digits or letters.',
    });
  return answer(parsed, { state: 'issued', invoiceNo: number ?? null });
}

/** `invoices reject <id> --reason "…" [--by name]`: the member sees the reason, and may request it again. */
export function invoicesReject(args: string[]): OperatorTask {
  const parsed = readArguments(args, { options: ['reason', 'by'] });
  const reason = sentence('--reason', managerAndReason(parsed).reason, REASON_MAX);
  return answer(parsed, { state: 'rejected', reason });
}

function answer(parsed: ParsedArguments, given: InvoiceAnswer): OperatorTask {
  const [word = ''] = requireWords(parsed, ['id']);
  const id = integer('<id>', word, [1, Number.MAX_SAFE_INTEGER]);
  const author = authorOf(parsed);
  return async ({ app, language, print }) => {
    await app.get(CommandBus).execute(new AnswerInvoice(id, given, author({ app })));
    print(`${id}: ${INVOICE_STATES[given.state][language]}`);
  };
}

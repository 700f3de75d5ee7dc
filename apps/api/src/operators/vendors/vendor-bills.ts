import { EntityManager, UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler, type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { createVendorBill, listVendorBills } from '@yiqiao/contracts/operator/margin';
import { CHANNELS, type ChannelCode } from '@yiqiao/domain/channels';
import { Refusal } from '@yiqiao/domain/errors';
import { Clock } from '../../platform/clock.js';
import { ActionLog, type Actor } from '../action-log.js';
import { MarginDays, recordedCost } from './get-margin.js';

type Bills = Answer<typeof listVendorBills>;
type Row = Omit<Bills['rows'][number], 'channel' | 'recorded' | 'enteredAt' | 'voidedAt'> & {
  code: ChannelCode;
  enteredAt: Date;
  voidedAt: Date | null;
};

export class ListVendorBills extends Query<Bills> {
  constructor(
    readonly request: Input<typeof listVendorBills>,
    readonly language: Language,
  ) {
    super();
  }
}

@QueryHandler(ListVendorBills)
export class ListVendorBillsHandler implements IQueryHandler<ListVendorBills> {
  constructor(
    private readonly em: EntityManager,
    private readonly days: MarginDays,
    private readonly clock: Clock,
  ) {}

  async execute({ request: { pageNum, pageSize }, language }: ListVendorBills): Promise<Bills> {
    const em = this.em.fork();
    const rows = await em.execute<Row[]>(`${READ} ORDER BY b.month DESC, b.id DESC LIMIT ? OFFSET ?`, [
      pageSize,
      (pageNum - 1) * pageSize,
    ]);
    const [counted] = await em.execute<{ total: number }[]>('SELECT count(*)::int AS total FROM vendor_bill');
    const shown: Bills['rows'] = [];
    for (const { code, enteredAt, voidedAt, ...row } of rows)
      shown.push({
        ...row,
        channel: CHANNELS[code][language === 'en' ? 'enName' : 'name'],
        recorded: await recordedCost(this.days, this.clock, row),
        enteredAt: this.clock.toWire(enteredAt),
        voidedAt: voidedAt && this.clock.toWire(voidedAt),
      });
    return { rows: shown, total: counted?.total ?? 0 };
  }
}

/** Throws NOT_FOUND, VALIDATION_FAILED for a month that is not over, VENDOR_BILL_EXISTS. */
export class CreateVendorBill extends Command<{ id: number }> {
  constructor(
    readonly bill: Input<typeof createVendorBill>,
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(CreateVendorBill)
export class CreateVendorBillHandler implements ICommandHandler<CreateVendorBill> {
  constructor(
    private readonly em: EntityManager,
    private readonly actions: ActionLog,
    private readonly clock: Clock,
  ) {}

  async execute({ bill, actor }: CreateVendorBill): Promise<{ id: number }> {
    const { accountId, month, number, amount, reason } = bill;
    if (month >= this.clock.day(this.clock.now()).slice(0, 7))
      throw new Refusal('VALIDATION_FAILED', { errors: [{ path: 'month', code: 'WRONG_VALUE' }] });
    return this.em.fork().transactional(async (em) => {
      const [account] = await em.execute<{ code: string; name: string }[]>(
        'SELECT code, name FROM vendor_account WHERE id = ?',
        [accountId],
      );
      if (!account) throw new Refusal('NOT_FOUND');
      const id = await this.#insert(em, [accountId, `${month}-01`, number, amount, actor.actor]);
      await this.actions.record(em, actor, {
        action: 'vendorBill.create',
        target: { kind: 'vendorAccount', id: `${account.code}/${account.name}` },
        after: { month, number, amount },
        reason,
      });
      return { id };
    });
  }

  async #insert(em: EntityManager, values: (string | number)[]): Promise<number> {
    try {
      const [row] = await em.execute<{ id: number }[]>(INSERT, values);
      return row?.id ?? 0;
    } catch (error) {
      if (error instanceof UniqueConstraintViolationException) throw new Refusal('VENDOR_BILL_EXISTS');
      throw error;
    }
  }
}

/** Throws NOT_FOUND; a bill that is voided already stays so. */
export class VoidVendorBill extends Command<void> {
  constructor(
    readonly id: number,
    readonly reason: string,
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(VoidVendorBill)
export class VoidVendorBillHandler implements ICommandHandler<VoidVendorBill> {
  constructor(
    private readonly em: EntityManager,
    private readonly actions: ActionLog,
    private readonly clock: Clock,
  ) {}

  async execute({ id, reason, actor }: VoidVendorBill): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      const [bill] = await em.execute<Row[]>(`${READ} WHERE b.id = ? FOR UPDATE OF b`, [id]);
      if (!bill) throw new Refusal('NOT_FOUND');
      if (bill.voidedAt !== null) return;
      await em.execute('UPDATE vendor_bill SET voided_at = ? WHERE id = ?', [this.clock.now(), id]);
      const { code, account, month, number, amount } = bill;
      await this.actions.record(em, actor, {
        action: 'vendorBill.void',
        target: { kind: 'vendorAccount', id: `${code}/${account}` },
        before: { month, number, amount },
        reason,
      });
    });
  }
}

const READ = `
SELECT b.id, b.vendor_account_id AS "accountId", a.code, a.name AS account, to_char(b.month, 'YYYY-MM') AS month, b.number,
  b.amount::float8 AS amount, b.entered_by AS "enteredBy", b.entered_at AS "enteredAt", b.voided_at AS "voidedAt"
FROM vendor_bill b JOIN vendor_account a ON a.id = b.vendor_account_id`;
const INSERT = `
INSERT INTO vendor_bill (vendor_account_id, month, number, amount, entered_by) VALUES (?, ?::date, ?, ?, ?) RETURNING id`;

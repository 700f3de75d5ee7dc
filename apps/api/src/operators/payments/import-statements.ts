import { hash } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock.js';
import { lockKey } from '../../platform/database.js';
import { ActionLog, type Actor } from '../action-log.js';
import { type Compared, compareStatements, daysOf, type Range, type StatementFile } from './compare-statements.js';
import type { Difference } from './difference.js';
import { closeMatched, INSERT_PAGE, keepDifferences, pagesOf } from './keep-differences.js';
import { type ReadFile, Reconciliation } from './reconciliation.entity.js';
import { readStatement, type StatementLine } from './statement-file.js';

export type ImportResult = { id: number; compared: Compared[]; differences: Difference[] };

/** Keeps the lines of statements and compares them with our payments. `days`: what they cover; null: the days of their lines. */
export class ImportStatements extends Command<ImportResult> {
  constructor(
    readonly files: readonly { name: string; bytes: Buffer }[],
    readonly days: Range | null,
    readonly actor: Actor,
  ) {
    super();
  }
}

/** All or nothing. Throws STATEMENT_UNKNOWN, STATEMENT_INCOMPLETE, STATEMENT_LINE_INVALID, STATEMENT_TOO_LONG, STATEMENT_EMPTY. */
@CommandHandler(ImportStatements)
export class ImportStatementsHandler implements ICommandHandler<ImportStatements> {
  constructor(
    private readonly em: EntityManager,
    private readonly actions: ActionLog,
    private readonly clock: Clock,
  ) {}

  execute({ files, days, actor }: ImportStatements): Promise<ImportResult> {
    const read = files.map(({ name, bytes }): StatementFile => {
      return { file: name, sha256: hash('sha256', bytes), ...readStatement(name, bytes) };
    });
    return this.em.fork().transactional(async (em) => {
      await lockKey(em, 'reconciliation with statements');
      const { compared, differences } = await compareStatements(em, read, days);
      const now = this.clock.now();
      const ranges = compared.flatMap((each) => each.ranges);
      const summaries = read.map((file) => this.#summary(file, days));
      const id = await em.insert(Reconciliation, {
        source: 'statement',
        state: 'done',
        fromAt: new Date(Math.min(...ranges.map(({ from }) => from.getTime()))),
        toAt: new Date(Math.max(...ranges.map(({ to }) => to.getTime()))),
        startedBy: actor.actor,
        finishedAt: now,
        total: compared.reduce((sum, { lines }) => sum + lines.length, 0),
        done: compared.reduce((sum, { lines }) => sum + lines.length, 0),
        files: summaries,
        totals: compared.map(({ totals }) => totals),
      });
      for (const { gateway, lines } of compared) await keepLines(em, { id, gateway, lines });
      await keepDifferences(em, id, differences);
      await closeMatched(em, { runId: id, source: 'statement', by: actor.actor, at: now }, coveredBy(compared));
      await this.actions.record(em, actor, {
        action: 'statement.import',
        target: { kind: 'reconciliation', id: String(id) },
        after: { files: summaries, differences: differences.length },
      });
      return { id, compared, differences };
    });
  }

  #summary(file: StatementFile, days: Range | null): ReadFile {
    const { from, to } = days ?? daysOf(file);
    const sum = (of: StatementLine['kind']): number =>
      file.lines.filter(({ kind }) => kind === of).reduce((total, { amount }) => total + amount, 0);
    return {
      name: file.file,
      sha256: file.sha256,
      gateway: file.gateway,
      from: this.clock.toWire(from),
      to: this.clock.toWire(to),
      lines: file.lines.length,
      paid: sum('payment'),
      refunded: sum('refund'),
    };
  }
}

const lineKey = (gateway: string, { kind, tradeNo, refundNo }: Pick<Difference, 'kind' | 'tradeNo' | 'refundNo'>) =>
  [gateway, kind, tradeNo, refundNo].join(' ');

function coveredBy(compared: readonly Compared[]): (difference: Difference) => boolean {
  const keys = new Set(compared.flatMap(({ gateway, lines }) => lines.map((line) => lineKey(gateway, line))));
  return (difference) => keys.has(lineKey(difference.gateway, difference));
}

async function keepLines(
  em: EntityManager,
  { id, gateway, lines }: { id: number; gateway: string; lines: readonly StatementLine[] },
): Promise<void> {
  for (const page of pagesOf(lines, INSERT_PAGE))
    // Raw: many rows at once.
    await em.execute(
      `INSERT INTO statement_line (gateway, kind, trade_no, refund_no, order_no, amount, at, run_id)
       SELECT ?, l.kind, l."tradeNo", l."refundNo", l."orderNo", l.amount, (l.at || '+08')::timestamptz, ?
       FROM jsonb_to_recordset(?::jsonb)
         AS l (kind text, "tradeNo" text, "refundNo" text, "orderNo" text, amount bigint, at text)
       ON CONFLICT DO NOTHING`,
      [gateway, id, JSON.stringify(page)],
    );
}

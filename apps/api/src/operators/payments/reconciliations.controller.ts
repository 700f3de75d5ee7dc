import { readFile } from 'node:fs/promises';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Answer, Input as InputOf } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import {
  closeDifference,
  downloadDifferences,
  getReconciliation,
  importStatement,
  listDifferences,
  listReconciliations,
  startReconciliation,
} from '@yiqiao/contracts/operator/reconciliations';
import { yuanOf } from '@yiqiao/domain/orders';
import { CLOSED_HOW, DIFFERENCES } from '@yiqiao/domain/reconciliation';
import { GATEWAYS } from '../../orders/payments-texts.js';
import { Clock } from '../../platform/clock.js';
import type { Column, CsvFile } from '../../platform/csv.js';
import { Client, type ClientInfo, Endpoint, Input } from '../../platform/endpoint.js';
import { type Upload, Uploaded } from '../../platform/uploads.js';
import { CurrentOperatorOf } from '../operator-guard.js';
import { actorOf, type CurrentOperator } from '../operator-sessions.js';
import { CloseDifference } from './close.js';
import { ImportStatements } from './import-statements.js';
import { LoggedDownloads } from './logged-downloads.js';
import { OrderRuns } from './order-runs.js';
import { type DifferenceRow, ReconciliationLists } from './reconciliation-lists.js';

const yuan = (fen: number | null): string | null => (fen === null ? null : yuanOf(fen));

const COLUMNS = (language: Language): readonly Column<DifferenceRow>[] => [
  { zh: '编号', en: 'Number', value: ({ id }) => id },
  { zh: '差异', en: 'Difference', value: ({ what }) => DIFFERENCES[what][language] },
  { zh: '收款或退款', en: 'Payment or refund', value: ({ kind }) => kind },
  { zh: '网关', en: 'Gateway', value: ({ gateway }) => GATEWAYS[gateway][language] },
  { zh: '订单号', en: 'Order', value: ({ orderNo }) => orderNo },
  { zh: '会员', en: 'Member', value: ({ userId }) => userId },
  { zh: '交易号', en: 'Transaction', value: ({ tradeNo }) => tradeNo },
  { zh: '退款单号', en: 'Refund', value: ({ refundNo }) => refundNo },
  { zh: '这里（元）', en: 'Here (yuan)', value: ({ here }) => yuan(here) },
  { zh: '网关（元）', en: 'Gateway (yuan)', value: ({ there }) => yuan(there) },
  { zh: '时间', en: 'Time', value: ({ at }) => at },
  { zh: '结案', en: 'Closed', value: ({ closedHow }) => closedHow && CLOSED_HOW[closedHow][language] },
  { zh: '结案人', en: 'Closed by', value: ({ closedBy }) => closedBy },
  { zh: '结案时间', en: 'Closed at', value: ({ closedAt }) => closedAt },
  { zh: '原因', en: 'Reason', value: ({ closeReason }) => closeReason },
];

/** Comparisons with the gateways and their statements (operators §10). */
@Controller()
export class ReconciliationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly lists: ReconciliationLists,
    private readonly runs: OrderRuns,
    private readonly downloads: LoggedDownloads,
    private readonly clock: Clock,
  ) {}

  @Endpoint(listReconciliations)
  list(
    @Input(listReconciliations) filter: InputOf<typeof listReconciliations>,
  ): Promise<Answer<typeof listReconciliations>> {
    return this.lists.runs(filter);
  }

  @Endpoint(getReconciliation)
  show(@Input(getReconciliation) { id }: InputOf<typeof getReconciliation>): Promise<Answer<typeof getReconciliation>> {
    return this.lists.run(id);
  }

  @Endpoint(startReconciliation)
  async start(
    @Input(startReconciliation) { from, to }: InputOf<typeof startReconciliation>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Answer<typeof startReconciliation>> {
    const range = { from: this.clock.fromWire(from), to: this.clock.endOfWire(to) };
    const run = await this.runs.start(range, actorOf(operator, client));
    this.runs.begin(run);
    return { id: run.id };
  }

  @Endpoint(importStatement)
  async import(
    @Input(importStatement) { name, from, to }: InputOf<typeof importStatement>,
    @Uploaded() upload: Upload,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Answer<typeof importStatement>> {
    const days =
      from === undefined || to === undefined ? null : { from: this.clock.fromWire(from), to: this.clock.endOfWire(to) };
    const files = [{ name, bytes: await readFile(upload.path) }];
    const { id } = await this.commands.execute(new ImportStatements(files, days, actorOf(operator, client)));
    return this.lists.run(id);
  }

  @Endpoint(listDifferences)
  differences(
    @Input(listDifferences) filter: InputOf<typeof listDifferences>,
  ): Promise<Answer<typeof listDifferences>> {
    return this.lists.differences(filter);
  }

  @Endpoint(downloadDifferences)
  download(
    @Input(downloadDifferences) filter: InputOf<typeof downloadDifferences>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<CsvFile> {
    const file = {
      name: 'differences' as const,
      columns: COLUMNS(client.language),
      pages: this.lists.pages(filter),
      filter,
    };
    return this.downloads.open(file, operator, client);
  }

  @Endpoint(closeDifference)
  async close(
    @Input(closeDifference) { id, reason }: InputOf<typeof closeDifference>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Answer<typeof closeDifference>> {
    await this.commands.execute(new CloseDifference(id, reason, actorOf(operator, client)));
    return this.lists.difference(id);
  }
}

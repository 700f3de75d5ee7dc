import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { getApiKeyUsage } from '@yiqiao/contracts/api-keys';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import { Clock } from '../platform/clock.js';
import type { Column, CsvFile } from '../platform/csv.js';
import { CsvDownloads } from '../platform/csv-downloads.js';
import type { Caller } from '../platform/endpoint.js';
import { readKey } from './find-api-keys.js';

type Usage = Answer<typeof getApiKeyUsage>;
type Day = Usage['days'][number];

export class GetApiKeyUsage extends Query<Usage> {
  constructor(
    readonly caller: Caller,
    readonly input: { id: number; days: number },
  ) {
    super();
  }
}

@QueryHandler(GetApiKeyUsage)
export class GetApiKeyUsageHandler implements IQueryHandler<GetApiKeyUsage> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async execute({ caller, input: { id, days } }: GetApiKeyUsage): Promise<Usage> {
    await readKey(this.em.fork(), id, caller, this.clock);
    const dates = this.clock.lastDays(days);
    const used = new Map((await readDays(this.em.fork(), id, dates[0] ?? '')).map((day) => [day.date, day]));
    return { days: dates.map((date) => used.get(date) ?? { date, charNum: 0, requests: 0 }) };
  }
}

export class ExportApiKeyUsage extends Query<CsvFile> {
  constructor(
    readonly caller: Caller,
    readonly input: { id: number; days: number },
    readonly language: Language,
  ) {
    super();
  }
}

@QueryHandler(ExportApiKeyUsage)
export class ExportApiKeyUsageHandler implements IQueryHandler<ExportApiKeyUsage> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly downloads: CsvDownloads,
  ) {}

  async execute({ caller, input: { id, days }, language }: ExportApiKeyUsage): Promise<CsvFile> {
    const { prefix } = await readKey(this.em.fork(), id, caller, this.clock);
    const columns: Column<Day>[] = [
      { zh: '日期', en: 'Date', value: (day) => day.date },
      { zh: '字符', en: 'Characters', value: (day) => day.charNum },
      { zh: '请求数', en: 'Requests', value: (day) => day.requests },
    ];
    const from = this.clock.lastDays(days)[0] ?? '';
    const pages = this.#pages(id, from);
    return this.downloads.open({ reader: caller, language, name: `api-key-${prefix}`, columns, pages });
  }

  async *#pages(id: number, from: string): AsyncGenerator<Day[]> {
    yield (await readDays(this.em.fork(), id, from)).reverse();
  }
}

/** The days since `from` on which the key was used, oldest first. Raw: the table belongs to the ledger. */
async function readDays(em: EntityManager, id: number, from: string): Promise<Day[]> {
  const rows = await em.execute<{ date: string; chars: number; requests: number }[]>(
    `SELECT day::text AS date, char_num AS chars, requests FROM api_key_day WHERE api_key_id = ? AND day >= ?::date ORDER BY day`,
    [id, from],
  );
  return rows.map(({ date, chars, requests }) => ({ date, charNum: Number(chars), requests: Number(requests) }));
}

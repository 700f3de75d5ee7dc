import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Language } from '@yiqiao/contracts/envelope';
import { BoundedGate } from './bounded-gate.js';
import { Clock } from './clock.js';
import { type Column, csvHead, csvLines } from './csv.js';
import { CsvFile } from './csv-file.js';
import type { Caller } from './endpoint.js';
import { RateLimits } from './rate-limits.js';
import { SessionReader } from './session-guard.js';

/** Rows of one reading: enough to be quick, few enough that a reader in between does not wait. */
export const DOWNLOAD_STEP = 200;

/** Who takes it, and in which session. */
export type Reader = Pick<Caller, 'userId' | 'sessionDigest'>;

/** `name`: of the file, without date and ending. `pages`: the rows in their order, read only as fast as the client takes them. */
export type Download<Row> = {
  reader: Reader;
  language: Language;
  name: string;
  columns: readonly Column<Row>[];
  pages: AsyncGenerator<Row[]>;
};

/** Tables as files, of any length in constant memory. */
@Injectable()
export class CsvDownloads {
  // However many download at once, most connections of the pool stay free for everybody else.
  readonly #reading = new BoundedGate({ width: 2, queue: 500 });

  constructor(
    private readonly rates: RateLimits,
    private readonly clock: Clock,
    private readonly sessions: SessionReader,
  ) {}

  /** Whatever may be refused is refused here, before the first byte: the first rows are read already. */
  async open<Row>(download: Download<Row>): Promise<CsvFile> {
    await this.rates.take('exports', String(download.reader.userId));
    const first = await this.#next(download);
    const text = Readable.from(this.#text(download, first), { objectMode: false });
    return new CsvFile(`${download.name}-${this.clock.day(this.clock.now())}.csv`, text);
  }

  async *#text<Row>(download: Download<Row>, first: IteratorResult<Row[]>): AsyncGenerator<string> {
    const { columns, language, pages } = download;
    try {
      yield csvHead(columns, language);
      for (let page = first; page.done !== true; page = await this.#following(download))
        yield csvLines(columns, page.value);
    } finally {
      await pages.return(undefined);
    }
  }

  /**
   * A session that ends takes its downloads with it, within a second as everything else (decisions §2). An error and no end: what was
   * cut off must not look whole, so the connection breaks.
   */
  async #following<Row>(download: Download<Row>): Promise<IteratorResult<Row[]>> {
    const session = await this.sessions.read(download.reader.sessionDigest);
    if (session?.state !== 'live') throw new Error('the session of a download has ended');
    return this.#next(download);
  }

  #next<Row>({ pages }: Download<Row>): Promise<IteratorResult<Row[]>> {
    return this.#reading.run(() => pages.next());
  }
}

/** The ordinals from `hi` down to `lo`, in steps: rows that arrive meanwhile come after `hi` and disturb nothing. */
export function* downwards({ lo, hi }: { lo: number; hi: number }): Generator<[oldest: number, newest: number]> {
  for (let newest = hi; newest >= lo; newest -= DOWNLOAD_STEP) yield [Math.max(lo, newest - DOWNLOAD_STEP + 1), newest];
}

export function* inSteps<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += DOWNLOAD_STEP) yield all.slice(at, at + DOWNLOAD_STEP);
}

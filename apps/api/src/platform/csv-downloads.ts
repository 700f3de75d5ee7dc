import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Language } from '@yiqiao/contracts/envelope';
import { ConcurrencyLimiter } from './concurrency-limiter.js';
import { Clock } from './clock.js';
import { type Column, CsvFile, csvHead, csvLines } from './csv.js';
import type { Caller } from './endpoint.js';
import { RateLimits } from './rate-limits.js';
import { SessionReader } from './session-guard.js';

/** Rows per query: enough to be fast, few enough not to delay other readers. */
export const DOWNLOAD_STEP = 200;

/** The member that downloads, and its session. */
export type Reader = Pick<Caller, 'userId' | 'sessionDigest'>;

/** Somebody else who downloads, with sessions of another kind. */
export type OtherReader = { readonly key: string; readonly isLive: () => Promise<boolean> };

/** `name`: of the file, without date and extension. `pages`: the rows in order, read only as fast as the client receives them. */
export type Download<Row> = {
  reader: Reader | OtherReader;
  language: Language;
  name: string;
  columns: readonly Column<Row>[];
  pages: AsyncGenerator<Row[]>;
};

/** Streams tables of any length as CSV files in constant memory. */
@Injectable()
export class CsvDownloads {
  // Keeps most connections of the pool free for other requests.
  readonly #queries = new ConcurrencyLimiter({ width: 2, queue: 500 });

  constructor(
    private readonly rates: RateLimits,
    private readonly clock: Clock,
    private readonly sessions: SessionReader,
  ) {}

  /** Every refusal happens here, before the first byte: the first rows are read at once. */
  async open<Row>(download: Download<Row>): Promise<CsvFile> {
    const { reader } = download;
    await this.rates.take('exports', 'key' in reader ? reader.key : String(reader.userId));
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
   * Downloads end within a second of their session (decisions §2), with an error that breaks the connection: a truncated file must not look
   * complete.
   */
  async #following<Row>(download: Download<Row>): Promise<IteratorResult<Row[]>> {
    if (!(await this.#isLive(download.reader))) throw new Error('the session of a download has ended');
    return this.#next(download);
  }

  async #isLive(reader: Reader | OtherReader): Promise<boolean> {
    if ('isLive' in reader) return reader.isLive();
    return (await this.sessions.read(reader.sessionDigest))?.state === 'live';
  }

  #next<Row>({ pages }: Download<Row>): Promise<IteratorResult<Row[]>> {
    return this.#queries.run(() => pages.next());
  }
}

/** The ordinals from `hi` down to `lo` in steps; rows that are added meanwhile come after `hi`. */
export function* downwards({ lo, hi }: { lo: number; hi: number }): Generator<[oldest: number, newest: number]> {
  for (let newest = hi; newest >= lo; newest -= DOWNLOAD_STEP) yield [Math.max(lo, newest - DOWNLOAD_STEP + 1), newest];
}

export function* inSteps<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += DOWNLOAD_STEP) yield all.slice(at, at + DOWNLOAD_STEP);
}

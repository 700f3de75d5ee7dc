import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { listPublicCloses } from '@yiqiao/contracts/closes';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { getClose, listCloses } from '@yiqiao/contracts/operator/closes';
import { Refusal } from '@yiqiao/domain/errors';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { CloseKeys, closeSettings, isSigned } from './close-keys.js';
import { type Books, publicRow, readCloses, type StoredClose, unpackChanged } from './close-rows.js';

type Page = Answer<typeof listCloses>;
type Row = Page['rows'][number];

export class ListPublicCloses extends Query<Answer<typeof listPublicCloses>> {
  constructor(readonly request: Input<typeof listPublicCloses>) {
    super();
  }
}
export class ListCloses extends Query<Page> {
  constructor(readonly request: Input<typeof listCloses>) {
    super();
  }
}
export class GetClose extends Query<Answer<typeof getClose>> {
  constructor(readonly date: string) {
    super();
  }
}

type Anchor = {
  n: number;
  witness: string;
  attempts: number;
  triedAt: Date;
  anchoredAt: Date | null;
  problem: string | null;
};

/** Closes as operators see them: with their key and witnesses. */
@Injectable()
export class CloseViews {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly keys: CloseKeys,
    private readonly config: Config,
  ) {}

  async of(closes: readonly StoredClose[]): Promise<Row[]> {
    const em = this.em.fork();
    const numbers = `{${closes.map(({ number }) => number).join(',')}}`;
    const anchors = await em.execute<Anchor[]>(ANCHORS, [numbers]);
    const before = await em.execute<{ n: number; entries: number }[]>(BEFORE, [numbers]);
    const entriesBefore = new Map(before.map(({ n, entries }) => [n + 1, entries]));
    return closes.map((close) => ({
      ...publicRow(close),
      newEntries: close.entries - (entriesBefore.get(close.number) ?? 0),
      changedAccounts: unpackChanged(close.changed).size,
      madeAt: this.clock.toWire(close.madeAt),
      signatureValid: isSigned(close),
      keyKnown: this.keys.knows(close.publicKey),
      witnesses: this.#witnesses(anchors.filter(({ n }) => n === close.number)),
    }));
  }

  /** Those that were asked, and those that will be. */
  #witnesses(anchors: readonly Anchor[]): Row['witnesses'] {
    const { CLOSE_ANCHOR_URLS: urls } = this.config.read(closeSettings);
    const all = [...new Set([...anchors.map(({ witness }) => witness), ...urls])];
    return all.map((witness) => {
      const anchor = anchors.find((one) => one.witness === witness);
      const at = anchor?.anchoredAt ?? anchor?.triedAt;
      return {
        witness,
        state: anchor?.anchoredAt ? 'anchored' : 'waiting',
        attempts: anchor?.attempts ?? 0,
        at: at ? this.clock.toWire(at) : null,
        problem: anchor?.problem ?? null,
      };
    });
  }
}

const ANCHORS = `SELECT n, witness, attempts, tried_at AS "triedAt", anchored_at AS "anchoredAt", problem FROM close_anchor
WHERE n = ANY (?::bigint[]) ORDER BY witness`;
const BEFORE = 'SELECT n, entries FROM ledger_close WHERE n + 1 = ANY (?::bigint[])';

async function pageOf(em: EntityManager, { pageNum, pageSize }: Input<typeof listCloses>) {
  const [counted] = await em.execute<{ total: number }[]>('SELECT count(*) AS total FROM ledger_close');
  const closes = await readCloses(em, 'ORDER BY n DESC LIMIT ? OFFSET ?', [pageSize, (pageNum - 1) * pageSize]);
  return { closes, total: counted?.total ?? 0 };
}

@QueryHandler(ListPublicCloses)
export class ListPublicClosesHandler implements IQueryHandler<ListPublicCloses> {
  constructor(private readonly em: EntityManager) {}

  async execute({ request }: ListPublicCloses): Promise<Answer<typeof listPublicCloses>> {
    const { closes, total } = await pageOf(this.em.fork(), request);
    return { rows: closes.map(publicRow), total };
  }
}

@QueryHandler(ListCloses)
export class ListClosesHandler implements IQueryHandler<ListCloses> {
  constructor(
    private readonly em: EntityManager,
    private readonly rows: CloseViews,
  ) {}

  async execute({ request }: ListCloses): Promise<Page> {
    const { closes, total } = await pageOf(this.em.fork(), request);
    return { rows: await this.rows.of(closes), total };
  }
}

@QueryHandler(GetClose)
export class GetCloseHandler implements IQueryHandler<GetClose> {
  constructor(
    private readonly em: EntityManager,
    private readonly rows: CloseViews,
  ) {}

  async execute({ date }: GetClose): Promise<Answer<typeof getClose>> {
    const closes = await readCloses(this.em.fork(), 'WHERE date::text = ?', [date]);
    const [row] = await this.rows.of(closes);
    if (!row || !closes[0]) throw new Refusal('NOT_FOUND');
    const { lines, difference } = JSON.parse(closes[0].booksText) as Books;
    return { ...row, lines, difference };
  }
}

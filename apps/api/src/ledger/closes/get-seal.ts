import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { getSeal } from '@yiqiao/contracts/operator/closes';
import { isSigned } from './close-keys.js';
import { type Books, prefixOf, readCloses, sha256, unpackChanged } from './close-rows.js';
import { CloseViews } from './list-closes.js';
import { leafContent, leafHash } from './merkle-tree.js';

type Seal = Answer<typeof getSeal>;

/** The first close that includes an entry, and whether the account still is what was signed (operators §6, §7). */
export class GetSeal extends Query<Seal> {
  constructor(readonly request: Input<typeof getSeal>) {
    super();
  }
}

type Leaf = { n: number; leaf: number; key: Buffer; seq: number; now: Buffer | null };

const LEAF = `
SELECT l.n, c.leaf, c.account_key AS key, l.seq, e.hash AS now
FROM close_leaf l JOIN close_account c ON c.user_id = l.user_id LEFT JOIN account_log e ON e.user_id = l.user_id AND e.seq = l.seq
WHERE l.user_id = ? AND l.seq >= ? ORDER BY l.n LIMIT 1`;

@QueryHandler(GetSeal)
export class GetSealHandler implements IQueryHandler<GetSeal> {
  constructor(
    private readonly em: EntityManager,
    private readonly views: CloseViews,
  ) {}

  async execute({ request: { userId, seq } }: GetSeal): Promise<Seal> {
    const em = this.em.fork();
    const [leaf] = await em.execute<Leaf[]>(LEAF, [userId, seq]);
    if (!leaf) return { seal: null };
    const [close] = await readCloses(em, 'WHERE n = ?', [leaf.n]);
    if (!close) return { seal: null };
    const [view] = await this.views.of([close]);
    const { changed } = JSON.parse(close.booksText) as Books;
    const signed =
      isSigned(close) && sha256(close.changed) === changed ? unpackChanged(close.changed).get(leaf.leaf) : undefined;
    const found = leaf.now && prefixOf(leafHash(leafContent(leaf.key, leaf.seq, leaf.now)));
    const witnesses = view?.witnesses ?? [];
    return {
      seal: {
        date: close.date,
        root: close.root,
        seq: leaf.seq,
        same: found !== null && found === signed,
        witnesses: witnesses.length,
        anchored: witnesses.filter(({ state }) => state === 'anchored').length,
      },
    };
  }
}

import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { checkActions, downloadActions, listActionNames, listActions } from '@yiqiao/contracts/operator/actions';
import { Clock } from '../../platform/clock.js';
import { Standby } from '../../platform/standby.js';
import { actionHash, FIRST_ACTION_HEAD, type ActionRecord, type Actor } from '../action-log.js';

export type ActionFilter = Omit<Input<typeof downloadActions>, never>;
export type ActionRow = Answer<typeof listActions>['rows'][number];

/** `previous`: the hash of the action before. */
type Stored = { n: number; body: string; hash: string; previous: string | null };
type Body = { n: number; at: number } & Actor & ActionRecord;

const STEP = 500;

/** Reads the action log; every row says whether its hash follows from the one before. Raw: the log has no entity, and nobody changes it. */
@Injectable()
export class ActionReader {
  constructor(
    private readonly em: EntityManager,
    private readonly standby: Standby,
    private readonly clock: Clock,
  ) {}

  list(page: Input<typeof listActions>): Promise<Answer<typeof listActions>> {
    return this.standby.read((em) => this.#page(em, page));
  }

  async #page(
    em: EntityManager,
    { pageNum, pageSize, ...filter }: Input<typeof listActions>,
  ): Promise<Answer<typeof listActions>> {
    const { where, values } = this.#where(filter);
    const [count] = await em.execute<{ total: number }[]>(
      `SELECT count(*) AS total FROM operator_action a ${where}`,
      values,
    );
    const stored = await this.#read(em, `${where} ORDER BY a.n DESC LIMIT ? OFFSET ?`, [
      ...values,
      pageSize,
      (pageNum - 1) * pageSize,
    ]);
    return { rows: stored.map((each) => this.#row(each)), total: Number(count?.total ?? 0) };
  }

  /** Newest first, in steps. */
  async *pages(filter: ActionFilter): AsyncGenerator<ActionRow[]> {
    const { where, values } = this.#where(filter);
    const and = where === '' ? 'WHERE' : `${where} AND`;
    const source = await this.standby.source();
    for (let before = Number.MAX_SAFE_INTEGER; ;) {
      const older = `${and} a.n < ? ORDER BY a.n DESC LIMIT ${STEP}`;
      const stored = await source.read((em) => this.#read(em, older, [...values, before]));
      const last = stored.at(-1);
      if (!last) return;
      yield stored.map((each) => this.#row(each));
      before = last.n;
    }
  }

  async names(): Promise<Answer<typeof listActionNames>> {
    const distinct = async (column: 'actor' | 'action'): Promise<string[]> => {
      // Skips from one name to the next in the index, however many actions there are.
      const rows = await this.em.fork().execute<{ name: string }[]>(
        `WITH RECURSIVE names AS (
           (SELECT ${column} AS name FROM operator_action ORDER BY ${column} LIMIT 1)
           UNION ALL
           SELECT (SELECT ${column} FROM operator_action WHERE ${column} > name ORDER BY ${column} LIMIT 1) FROM names
           WHERE name IS NOT NULL
         ) SELECT name FROM names WHERE name IS NOT NULL`,
      );
      return rows.map(({ name }) => name);
    };
    return { actors: await distinct('actor'), actions: await distinct('action') };
  }

  /** From the first action to the last. */
  async check(): Promise<Answer<typeof checkActions>> {
    let [n, head] = [0, FIRST_ACTION_HEAD];
    for (;;) {
      const stored = await this.#read(this.em.fork(), `WHERE a.n > ? ORDER BY a.n LIMIT ${STEP}`, [n]);
      if (stored.length === 0) return { whole: true, actions: n, head, firstBreak: null };
      for (const { n: found, body, hash } of stored) {
        const expected = actionHash(head, body);
        if (found !== n + 1 || numberIn(body) !== found || hash !== expected)
          return { whole: false, actions: n, head, firstBreak: { n: n + 1, expected, found: hash } };
        [n, head] = [found, hash];
      }
    }
  }

  #read(em: EntityManager, rest: string, values: readonly unknown[]): Promise<Stored[]> {
    return em.execute<Stored[]>(
      `SELECT a.n, a.body, encode(a.hash, 'hex') AS hash, encode(p.hash, 'hex') AS previous
       FROM operator_action a LEFT JOIN operator_action p ON p.n = a.n - 1 ${rest}`,
      [...values],
    );
  }

  #where(filter: ActionFilter): { where: string; values: unknown[] } {
    const { from, to } = this.clock.between(filter.from, filter.to);
    const conditions: [sql: string, value: unknown][] = [
      ['a.actor = ?', filter.actor],
      ['a.action = ?', filter.action],
      ['a.target_kind = ?', filter.targetKind],
      ['a.target_id = ?', filter.target],
      [`(a.body::jsonb ->> 'approvalId')::bigint = ?`, filter.approvalId],
      ['a.done_at >= ?', from],
      ['a.done_at <= ?', to],
    ];
    const given = conditions.filter(([, value]) => value !== undefined);
    const where = given.length === 0 ? '' : `WHERE ${given.map(([sql]) => sql).join(' AND ')}`;
    return { where, values: given.map(([, value]) => value) };
  }

  #row({ n, body, hash, previous }: Stored): ActionRow {
    const read = JSON.parse(body) as Body;
    return {
      n,
      at: this.clock.toWire(new Date(read.at)),
      actor: read.actor,
      ip: read.ip ?? null,
      session: read.session ?? null,
      requestId: read.requestId ?? null,
      action: read.action,
      target: read.target ?? null,
      before: (read.before as Record<string, unknown> | null | undefined) ?? null,
      after: (read.after as Record<string, unknown> | null | undefined) ?? null,
      reason: read.reason ?? null,
      approvalId: read.approvalId ?? null,
      cmdId: read.cmdId ?? null,
      hash,
      whole:
        read.n === n && actionHash(previous ?? FIRST_ACTION_HEAD, body) === hash && (n === 1) === (previous === null),
    };
  }
}

const numberIn = (body: string): unknown => (JSON.parse(body) as { n: unknown }).n;

import type pg from 'pg';
import { canonicalMailbox } from '../../members/canonical-mailbox.js';
import { Vault } from '../../platform/vault.js';
import { versionOf } from './collisions.js';
import { type Move, SEALED_COLUMNS, sealedColumns, secretOf } from './export-family.js';
import type { FamilyHead, Row } from './family-file.js';
import { MOVES, type MovingTable, type Moving } from './tables.js';

/** The subscriptions of an endpoint, from now on. */
const sinceNow = (events: unknown): Record<string, number> =>
  Object.fromEntries(Object.keys(events ?? {}).map((event) => [event, Date.now()]));

/** Rows as they are in this installation. */
export class RestoredRows {
  readonly #vault: Vault;
  readonly #sameSecret: boolean;

  constructor(
    move: Move,
    private readonly head: FamilyHead,
    private readonly all: ReadonlyMap<string, readonly string[]>,
  ) {
    this.#vault = new Vault(move.config);
    this.#sameSecret = head.secret === secretOf(this.#vault);
  }

  columns(table: MovingTable): readonly string[] {
    const { renewed = [] } = MOVES[table] as Moving;
    return (this.all.get(table) ?? []).filter((column) => !renewed.includes(column));
  }

  async rows(client: pg.ClientBase, table: MovingTable, rows: readonly Row[]): Promise<Row[]> {
    switch (table) {
      case 'manager':
        return this.#managers(client, rows);
      case 'member':
        return this.#members(rows);
      case 'member_account':
        return rows.map((row) => ({ ...row, read_only: true }));
      case 'mailbox_gift':
        return Promise.all(rows.map((row) => this.#gift(client, row)));
      case 'recharge_order':
        return Promise.all(rows.map((row) => this.#order(client, row)));
      // A close of this installation covers what it received since the one before.
      case 'payment':
        return rows.map((row) => ({ ...row, received_at: new Date().toISOString() }));
      case 'member_device':
        return this.#sameSecret ? [...rows] : [];
      case 'two_step':
        return rows.map((row) => ({
          ...row,
          ...this.#sealed(table, row),
          recovery_digests: this.#sameSecret ? row['recovery_digests'] : [],
        }));
      case 'webhook_endpoint':
        // What happened before was told where it happened.
        return rows.map((row) => ({ ...row, ...this.#sealed(table, row), events: sinceNow(row['events']) }));
      default:
        return [...rows];
    }
  }

  #sealed(table: MovingTable, row: Row): Row {
    return sealedColumns(row, SEALED_COLUMNS[table] ?? [], (text) => this.#vault.seal(text));
  }

  /** Names are unique here, too: an operator of another installation with a name of ours gets an addition. */
  async #managers(client: pg.ClientBase, rows: readonly Row[]): Promise<Row[]> {
    const made: Row[] = [];
    for (const row of rows) {
      const { rows: known } = await client.query<{ id: string; name: string }>(
        'SELECT id, name FROM manager WHERE id = $1 OR name = $2',
        [row['id'], row['name']],
      );
      if (known.some(({ id }) => Number(id) === row['id'])) continue;
      const name = known.length === 0 ? row['name'] : `${String(row['name'])} (${String(row['id'])})`;
      made.push({ ...row, name, listed: false });
    }
    return made;
  }

  /** Inviters are members of another installation now. Nobody signs in before the audit is over. */
  #members(rows: readonly Row[]): Row[] {
    const { familyId } = this.head;
    const here = new Set(rows.map((row) => row['id']));
    return rows.map((row) => ({
      ...row,
      inviter_id: here.has(row['inviter_id']) ? row['inviter_id'] : null,
      enabled: row['id'] === familyId ? false : row['enabled'],
    }));
  }

  /** A mailbox gets a gift once in each installation; the record of one that it had here before stays as it is. */
  async #gift(client: pg.ClientBase, { mailbox, ...row }: Row): Promise<Row> {
    const digest =
      typeof mailbox === 'string'
        ? this.#vault.hmac('mailbox', canonicalMailbox(mailbox))
        : String(row['mailbox_hmac']);
    const taken = await client.query('SELECT FROM mailbox_gift WHERE mailbox_hmac = $1 AND gift = $2', [
      digest,
      row['gift'],
    ]);
    return { ...row, mailbox_hmac: taken.rowCount ? `${digest} of ${String(row['user_id'])}` : digest };
  }

  /** Questions to the gateway begin anew. */
  async #order(client: pg.ClientBase, row: Row): Promise<Row> {
    const open = { ...row, asked: 0, plan_version_id: await versionOf(client, row) };
    return row['paid_by'] === null ? open : { ...open, pay_status: 'W', paid_by: null, paid_at: null };
  }
}

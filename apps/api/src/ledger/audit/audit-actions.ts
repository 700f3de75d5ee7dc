import type pg from 'pg';
import { actionHash, FIRST_ACTION_HEAD } from '../../platform/action-chain.js';
import { CopyRows } from './copy-rows.js';
import type { Findings } from './findings.js';

/** Follows the chain of the operators' action log (operators §5): numbered without gaps, each hash over the one before and the body. */
export async function auditActions(client: pg.ClientBase, findings: Findings): Promise<void> {
  const rows = await CopyRows.of(client, 'SELECT n, body, hash FROM operator_action ORDER BY n', 3);
  let [last, head] = [0, FIRST_ACTION_HEAD];
  for (; rows.live; rows.next() || (await rows.fill())) {
    const [n, found] = [rows.int(0), rows.hex(2)];
    const add = (field: string, expected: unknown, is: unknown): void =>
      findings.add({ userId: 0, seq: null, field, expected, found: is }, [`action ${n}`], [`action ${n - 1}`]);
    if (n !== last + 1) add(`action ${last + 1}`, 'a row', 'none');
    const expected = actionHash(head, rows.text(1));
    if (n === last + 1 && expected !== found) add(`action ${n}: hash`, expected, found);
    // Goes on from the stored hash, so that every action is judged by itself.
    [last, head] = [n, found];
  }
}

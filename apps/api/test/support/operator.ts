import type pg from 'pg';

/** The operator of the tests, and why: without it the audit would not let an adjustment pass. Answers the operator's id. */
export async function giveReason(db: pg.Pool, { cmdId, userId }: { cmdId: string; userId: number }): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO manager (name) VALUES ('tester') ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id`,
  );
  const managerId = Number(rows[0]?.id);
  await db.query(
    `INSERT INTO manager_action (cmd_id, manager_id, user_id, family_id, reason)
     SELECT $1, $2, id, family_id, 'a test' FROM member WHERE id = $3 ON CONFLICT DO NOTHING`,
    [cmdId, managerId, userId],
  );
  return managerId;
}

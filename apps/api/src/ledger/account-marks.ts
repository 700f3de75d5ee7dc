import type { EntityManager } from '@mikro-orm/postgresql';

type Row = { user_id: number; mark: string };

// A main account's mark moves with any account of its family; a sub-account bills by its own balance, and expiry and channel are
// its main account's (decisions §3). Entries only ever become more, so their sum never comes back to what it was.
const MARKS = `
SELECT f.family_id AS user_id,
  concat_ws(' ', sum(f.entry_seq), sum(f.held_char_num), sum(f.held_voice_num), sum(f.held_image_num)) AS mark
FROM member_account f WHERE f.family_id = ANY (?::bigint[]) GROUP BY f.family_id
UNION ALL
SELECT a.user_id, concat_ws(' ', a.entry_seq, a.held_char_num, a.held_voice_num, a.held_image_num,
  extract(epoch FROM m.expire_at), m.tran_channel_id)
FROM member_account a JOIN member_account m ON m.user_id = a.family_id
WHERE a.user_id = ANY (?::bigint[]) AND a.user_id <> a.family_id`;

/** For each of these members a text that is another one as soon as their account reads differently. Those without an account are absent. */
export async function readAccountMarks(em: EntityManager, userIds: number[]): Promise<Map<number, string>> {
  const ids = `{${userIds.join(',')}}`;
  const rows = await em.execute<Row[]>(MARKS, [ids, ids]);
  return new Map(rows.map(({ user_id, mark }) => [Number(user_id), mark]));
}

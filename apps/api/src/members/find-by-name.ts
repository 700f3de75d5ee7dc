import type { EntityManager } from '@mikro-orm/postgresql';
import { uniqueKey } from '@yiqiao/domain/members';

type NameSearch = { mainId: number; text: string; limit: number; offset: number };

/** The sub-accounts of a family whose name or nickname contains `text` (literal, case-insensitive), newest first; `total` of all pages. */
export async function findByName(
  em: EntityManager,
  { mainId, text, limit, offset }: NameSearch,
): Promise<{ ids: number[]; total: number }> {
  const pattern = `%${escapeLike(uniqueKey(text))}%`;
  // Nearly every search fits its first page; only the others need the count.
  const rows = await em.execute<{ id: number }[]>(`${IDS} ORDER BY m.id DESC LIMIT ? OFFSET ?`, [
    mainId,
    mainId,
    pattern,
    pattern,
    limit,
    offset,
  ]);
  const ids = rows.map((row) => Number(row.id));
  if (ids.length < limit && (ids.length > 0 || offset === 0)) return { ids, total: offset + ids.length };
  const [counted] = await em.execute<{ total: number }[]>(`SELECT count(*)::int AS total FROM (${IDS}) AS found`, [
    mainId,
    mainId,
    pattern,
    pattern,
  ]);
  return { ids, total: counted?.total ?? 0 };
}

// Raw: the ORM knows no relation between a member and its names. A deleted sub-account has no identity row.
const IDS = `
SELECT m.id FROM member m JOIN identity i ON i.user_id = m.id AND i.family_id = m.family_id AND i.kind = 'username'
WHERE m.family_id = ? AND m.parent_id = ? AND m.closed_at IS NULL AND (i.unique_key LIKE ? OR lower(m.nickname) LIKE ?)`;

/** Escapes LIKE wildcards. */
const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

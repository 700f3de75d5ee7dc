import { deletedName, namelessDeleted } from '@yiqiao/domain/explanations';
import type { Language } from '@yiqiao/contracts/envelope';

export type Named = { userId: number; name: string | null; lastName: string | null };

/** The columns of Named for the member whose id is `user`, an SQL expression. */
export const nameColumns = (user: string): string => `
  coalesce((SELECT nickname FROM member WHERE id = ${user}),
    (SELECT shown FROM identity WHERE user_id = ${user} AND kind = 'username')) AS name,
  (SELECT last_name FROM member WHERE id = ${user}) AS "lastName"`;

export const shownName = ({ userId, name, lastName }: Named, language: Language): string =>
  name ?? (lastName === null ? namelessDeleted(userId, language) : deletedName(lastName, language));

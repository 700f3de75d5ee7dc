import type { INestApplicationContext } from '@nestjs/common';
import { type Member, Members } from '../members/members.js';
import { CommandError, UsageError } from '../platform/cli-messages.js';

const MOST_ID = Number.MAX_SAFE_INTEGER;

/** The open member with this id, username or e-mail address. Throws when there is none, or when two match. */
export async function findMember(app: INestApplicationContext, who: string): Promise<Member> {
  const members = app.get(Members, { strict: false });
  if (who.trim() === '') throw new UsageError({ zh: '缺少 <user>', en: 'Missing <user>.' });
  const exactly = /^id:(\d+)$/.exec(who)?.[1];
  const id = exactly ?? (/^\d+$/.test(who) ? who : undefined);
  const byId = id !== undefined && Number(id) <= MOST_ID ? await members.find(Number(id)) : null;
  const byName = exactly === undefined ? await members.findByAccount(who.replace(/^name:/, '')) : null;
  // A username may consist of digits.
  if (byId && byName && byId.id !== byName.id)
    throw new UsageError({
      zh: `${who} 既是编号又是用户名，请写 id:${who} 或 name:${who}`,
      en: `${who} is the id of one member and the username of another: use id:${who} or name:${who}.`,
    });
  const found = byId ?? byName;
  if (!found) throw new CommandError({ zh: `没有找到会员 ${who}`, en: `No such member: ${who}` });
  return found;
}

import { Refusal } from '@yiqiao/domain/errors';
import type { Member, Members } from '../members/members.js';

/** A main account and its e-mail address. */
export type LoginAddress = { member: Member; email: string };

/**
 * Looks up the main account of a username or an address; null when there is none. Throws ASK_MAIN_ACCOUNT for a sub-account: it has no
 * mailbox, its main account resets its password (decisions §3).
 */
export async function lookUpLogin(members: Members, account: string): Promise<LoginAddress | null> {
  const member = await members.findByAccount(account);
  if (!member) return null;
  if (!member.isMain()) throw new Refusal('ASK_MAIN_ACCOUNT');
  const email = await members.mailboxOf(member);
  return email === null ? null : { member, email };
}

import { Refusal } from '@yiqiao/domain/errors';
import type { Member, Members } from '../members/members.js';

/** A main account and the address that it is recovered through. */
export type Recoverable = { member: Member; email: string };

/**
 * The main account behind a username or an address, null when nobody has it. Throws ASK_MAIN_ACCOUNT for a sub-account:
 * it has no mailbox, its main account resets its password (decisions §3).
 */
export async function recoverable(members: Members, account: string): Promise<Recoverable | null> {
  const member = await members.findByAccount(account);
  if (!member) return null;
  if (!member.isMain()) throw new Refusal('ASK_MAIN_ACCOUNT');
  const email = await members.mailboxOf(member);
  return email === null ? null : { member, email };
}

import { uniqueKey } from '@yiqiao/domain/members';
import type { Vault } from '../platform/vault.js';

/** Under what the codes mailed to an address are kept: the table says nothing of whose mailbox it was. */
export const mailboxKeyOf = (vault: Vault, email: string): string =>
  vault.hmac('verification-mailbox', uniqueKey(email));

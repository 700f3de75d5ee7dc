import { uniqueKey } from '@yiqiao/domain/members';
import type { Vault } from '../platform/vault.js';

/** The key of verification codes: a keyed digest, so that the table does not reveal the mailbox. */
export const mailboxKeyOf = (vault: Vault, email: string): string =>
  vault.hmac('verification-mailbox', uniqueKey(email));

/** The public list of daily closes (operators §7): anybody can keep it and check it. Not in the specification. */
import { z } from 'zod';
import { endpoint } from './endpoint.js';
import { page, paging } from './fields.js';

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`));

/** The fields of SignedClose, and `hash`, by which the next close names it. */
export const closeRow = z.object({
  number: z.int(),
  date: z.string(),
  cutAt: z.string(),
  entries: z.int(),
  accounts: z.int(),
  root: hex(32),
  books: hex(32),
  previous: hex(32),
  hash: hex(32),
  publicKey: hex(32),
  signature: hex(64),
});

/** Every close, newest first. */
export const listPublicCloses = endpoint({
  method: 'GET',
  path: '/ledger/closes',
  access: 'public',
  request: z.strictObject(paging),
  response: page(closeRow),
});

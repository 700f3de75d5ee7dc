import { hash } from 'node:crypto';
import { ENTRY_BYTES_MAX, HASH_BYTES, putEntry } from '@yiqiao/domain/entry-bytes';
import type { Entry } from '@yiqiao/domain/ledger';

/** The predecessor of the first entry of an account. */
export const FIRST_HEAD = '0'.repeat(HASH_BYTES * 2);

const content = Buffer.alloc(HASH_BYTES + ENTRY_BYTES_MAX);
const view = new DataView(content.buffer, content.byteOffset, content.length);

/** The hash of an entry, in hex: SHA-256 over its predecessor's hash (hex) and its own canonical bytes (decisions §4). */
export function chain(head: string, entry: Entry): string {
  content.write(head, 0, 'hex');
  const end = putEntry(view, HASH_BYTES, entry);
  return hash('sha256', end === content.length ? content : content.subarray(0, end), 'hex');
}

/**
 * A daily close (operators §7): the state of every account at the end of a day as one signed line. Whoever holds a close can check its
 * signature, that it names the one before, and that an account was in it; docs/verifying.md describes all three.
 */

/** Hashes, key and signature in hex; `cutAt`: the end of `date`, UTC. `books`: the digest of what the operator alone sees. */
export type SignedClose = {
  number: number;
  date: string;
  cutAt: string;
  entries: number;
  accounts: number;
  root: string;
  books: string;
  /** The hash of the close before; zeros for the first. */
  previous: string;
  publicKey: string;
  /** Ed25519, of `closeMessage`. */
  signature: string;
};

export const CLOSE_FORMAT = 'yiqiao-ledger-close/1';

/** The predecessor of the first close. */
export const FIRST_CLOSE = '0'.repeat(64);

/** The signed text: the format and the fields, one a line, each line ended by a line feed. The hash of a close is its SHA-256. */
export const closeMessage = (close: Omit<SignedClose, 'signature'>): string =>
  [
    CLOSE_FORMAT,
    close.number,
    close.date,
    close.cutAt,
    close.entries,
    close.accounts,
    close.root,
    close.books,
    close.previous,
    close.publicKey,
  ]
    .map((field) => `${field}\n`)
    .join('');

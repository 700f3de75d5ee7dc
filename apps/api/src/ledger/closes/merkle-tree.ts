import { hash } from 'node:crypto';

const sha256 = (...parts: Uint8Array[]): Buffer => hash('sha256', Buffer.concat(parts), 'buffer');
const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

/** The hash of a leaf with this content; the prefixes of leaves and nodes differ, so that neither can pass for the other (RFC 6962). */
export const leafHash = (content: Uint8Array): Buffer => sha256(LEAF, content);
const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => sha256(NODE, left, right);

/** The content of an account's leaf: its key (32 bytes), the number of its last entry (64 bits, big-endian) and that entry's hash. */
export function leafContent(key: Uint8Array, seq: number, head: Uint8Array): Buffer {
  const number = Buffer.alloc(8);
  number.writeBigInt64BE(BigInt(seq));
  return Buffer.concat([key, number, head]);
}

/** The Merkle tree of RFC 6962 over leaf hashes, of which any can be replaced and others appended. */
export class MerkleTree {
  /** Level 0 are the leaves; a last node without a sibling is the same on the next level. */
  readonly #levels: Buffer[][] = [[]];

  constructor(leaves: readonly Buffer[] = []) {
    this.#levels[0] = [...leaves];
    for (let below = this.#levels[0]; below.length > 1;) {
      const above = Array.from({ length: Math.ceil(below.length / 2) }, (_, i) => parentOf(below, i));
      this.#levels.push(above);
      below = above;
    }
  }

  get size(): number {
    return this.#levels[0]?.length ?? 0;
  }

  get root(): Buffer {
    return this.#levels.at(-1)?.[0] ?? sha256();
  }

  /** Replaces a leaf, or appends one if `index` is the size. */
  set(index: number, leaf: Buffer): void {
    if (index > this.size) throw new RangeError(`leaf ${index} of ${this.size}`);
    let at = index;
    let below = this.#levels[0] ?? [];
    below[at] = leaf;
    for (let level = 1; below.length > 1; level++) {
      at >>= 1;
      const above = (this.#levels[level] ??= []);
      above[at] = parentOf(below, at);
      below = above;
    }
  }

  /** The inclusion path of a leaf: the siblings from its own level up. */
  path(index: number): Buffer[] {
    const path: Buffer[] = [];
    let at = index;
    for (const level of this.#levels) {
      const sibling = level[at ^ 1];
      if (sibling) path.push(sibling);
      at >>= 1;
    }
    return path;
  }
}

const parentOf = (below: readonly Buffer[], index: number): Buffer => {
  const [left, right] = [below[2 * index], below[2 * index + 1]];
  if (!left) throw new RangeError(`no node ${2 * index}`);
  return right ? nodeHash(left, right) : left;
};

/** The root that a leaf at `index` of `size` leaves has with this path; null if the path does not fit (RFC 9162 §2.1.3.2). */
export function rootOf(
  leaf: Buffer,
  { index, size }: { index: number; size: number },
  path: readonly Buffer[],
): Buffer | null {
  if (index >= size) return null;
  let [at, last, root] = [index, size - 1, leaf];
  for (const sibling of path) {
    if (last === 0) return null;
    if (at % 2 === 1 || at === last) {
      root = nodeHash(sibling, root);
      while (at % 2 === 0 && at !== 0) [at, last] = [at >> 1, last >> 1];
    } else root = nodeHash(root, sibling);
    [at, last] = [at >> 1, last >> 1];
  }
  return last === 0 ? root : null;
}

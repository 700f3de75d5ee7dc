import { hash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { leafContent, leafHash, MerkleTree, rootOf } from './merkle-tree.js';

/** The definition of RFC 6962 §2.1, word for word. */
function defined(leaves: readonly Buffer[]): Buffer {
  const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer');
  const [only] = leaves;
  if (!only) return sha256(Buffer.alloc(0));
  if (leaves.length === 1) return only;
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return sha256(Buffer.concat([Buffer.of(1), defined(leaves.slice(0, k)), defined(leaves.slice(k))]));
}

const leavesOf = (contents: readonly string[]): Buffer[] => contents.map((text) => leafHash(Buffer.from(text)));
const contents = fc.array(fc.string(), { maxLength: 70 });
const some = fc.array(fc.string(), { minLength: 1, maxLength: 70 });

describe('a Merkle tree', () => {
  it('has the roots of the test vectors of Certificate Transparency', () => {
    const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
    const leaves = inputs.map((hex) => leafHash(Buffer.from(hex, 'hex')));
    const root = (n: number): string => new MerkleTree(leaves.slice(0, n)).root.toString('hex');
    expect(root(0)).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(root(1)).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d');
    expect(root(2)).toBe('fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125');
    expect(root(3)).toBe('aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77');
    expect(root(7)).toBe('ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c');
    expect(root(8)).toBe('5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328');
  });

  it('is that of the definition, built at once or leaf by leaf, in any order of later changes', () => {
    fc.assert(
      fc.property(contents, fc.array(fc.tuple(fc.nat(), fc.string())), (all, changes) => {
        const leaves = leavesOf(all);
        const tree = new MerkleTree();
        for (const [i, leaf] of leaves.entries()) tree.set(i, leaf);
        expect(tree.root).toEqual(defined(leaves));
        expect(new MerkleTree(leaves).root).toEqual(tree.root);
        for (const [at, text] of changes) {
          const index = at % (leaves.length + 1);
          leaves[index] = leafHash(Buffer.from(text));
          tree.set(index, leaves[index]);
        }
        expect(tree.root).toEqual(defined(leaves));
        expect(tree.size).toBe(leaves.length);
      }),
    );
  });

  it('proves each leaf by its path, and nothing else', () => {
    fc.assert(
      fc.property(some, fc.nat(), fc.nat(), fc.nat(255), (all, at, elsewhere, bit) => {
        const leaves = leavesOf(all.map((text, i) => `${i} ${text}`));
        const tree = new MerkleTree(leaves);
        const place = { index: at % leaves.length, size: leaves.length };
        const leaf = leaves[place.index] ?? Buffer.alloc(0);
        const path = tree.path(place.index);
        expect(rootOf(leaf, place, path)).toEqual(tree.root);
        const forged = Buffer.from(leaf);
        forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(rootOf(forged, place, path)).not.toEqual(tree.root);
        const other = elsewhere % leaves.length;
        if (other !== place.index) expect(rootOf(leaf, { ...place, index: other }, path)).not.toEqual(tree.root);
        expect(rootOf(leaf, place, [...path, leaf])).toBeNull();
        if (path.length > 0) expect(rootOf(leaf, place, path.slice(1))).not.toEqual(tree.root);
        expect(rootOf(leaf, { index: leaves.length, size: leaves.length }, path)).toBeNull();
      }),
    );
  });

  it('never takes an inner node for a leaf', () => {
    const leaves = leavesOf(['a', 'b']);
    const tree = new MerkleTree(leaves);
    expect(leafHash(Buffer.concat(leaves))).not.toEqual(tree.root);
  });

  it('hashes the key, the number in 64 bits and the head of an account', () => {
    const content = leafContent(Buffer.alloc(32, 7), 258, Buffer.alloc(32, 9));
    expect(content.toString('hex')).toBe(`${'07'.repeat(32)}0000000000000102${'09'.repeat(32)}`);
  });
});

import { checkProof, type getAccount } from '@yiqiao/contracts/operator/accounts';
import type { Response } from '@yiqiao/contracts/endpoint';
import { skipToken, useQueries, useQueryClient, type UseQueryOptions } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../shared/api/send.js';

export type Account = Response<typeof getAccount>;
type Member = Account['family'][number];
export type Proven = Response<typeof checkProof> & Pick<Member, 'userId' | 'name'> & { from: number };

/** Entries of the newest end of an account that are recomputed when a page opens. */
const MOST = 100_000;

/** Recomputed in one request, so that the page can say how far it is. */
const STEP = 10_000;

type Chain = Pick<Member, 'userId' | 'entries' | 'archived' | 'name'>;

const fromOf = ({ entries, archived }: Chain): number => Math.max(archived + 1, entries - MOST + 1);
const keyOf = (chain: Chain) => ['data', 'default', 'custom', checkProof.path, chain.userId, fromOf(chain)];
const progressOf = (chain: Chain) => [...keyOf(chain), 'done'];

async function prove(chain: Chain, onProgress: (entries: number) => void): Promise<Proven> {
  const { userId, name, entries } = chain;
  const from = fromOf(chain);
  let done = 0;
  for (let seq = from; ; seq += STEP) {
    const isLast = seq + STEP > entries;
    const span = { fromSeq: String(seq), ...(isLast ? {} : { toSeq: String(seq + STEP - 1) }) };
    const proof = await call(checkProof, { userId: String(userId), ...span });
    done += proof.entries;
    if (isLast || proof.firstBreak) return { ...proof, entries: done, userId, name, from };
    onProgress(done);
  }
}

/** Recomputes the chains of these accounts; undefined until all are done. */
export function useProofs(members: readonly Member[]): readonly Proven[] | undefined {
  const queries = useQueryClient();
  const answers = useQueries({
    queries: members.map((chain) => ({
      queryKey: keyOf(chain),
      queryFn: () => prove(chain, (entries) => queries.setQueryData(progressOf(chain), entries)),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  const done = answers.flatMap(({ data }) => data ?? []);
  const key = done.map(({ userId }) => userId).join(',');
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the answers never change; the array of them is another one every time
  return useMemo(() => (done.length === members.length ? done : undefined), [key, members.length]);
}

/** How many entries of these accounts `useProofs` has recomputed so far. */
export function useProofProgress(members: readonly Chain[]): number {
  const watched = (queryKey: unknown[]): UseQueryOptions => ({ queryKey, queryFn: skipToken });
  const proofs = useQueries({ queries: members.map((chain) => watched(keyOf(chain))) });
  const parts = useQueries({ queries: members.map((chain) => watched(progressOf(chain))) });
  const doneOf = (i: number): number =>
    (proofs[i]?.data as Proven | undefined)?.entries ?? (parts[i]?.data as number | undefined) ?? 0;
  return members.reduce((sum, _, i) => sum + doneOf(i), 0);
}

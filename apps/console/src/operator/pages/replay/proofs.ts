import { checkProof, type getAccount } from '@yiqiao/contracts/operator/accounts';
import type { Response } from '@yiqiao/contracts/endpoint';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../shared/api/send.js';

export type Account = Response<typeof getAccount>;
type Member = Account['family'][number];
export type Proven = Response<typeof checkProof> & Pick<Member, 'userId' | 'name'> & { from: number };

/** Entries of the newest end of an account that are recomputed when a page opens. */
const MOST = 100_000;

/** Recomputes the chains of these accounts; undefined until all are done. */
export function useProofs(members: readonly Member[]): readonly Proven[] | undefined {
  const answers = useQueries({
    queries: members.map(({ userId, entries, name }) => {
      const from = Math.max(1, entries - MOST + 1);
      return {
        queryKey: ['data', 'default', 'custom', checkProof.path, userId, from],
        queryFn: async (): Promise<Proven> => {
          const proof = await call(checkProof, { userId: String(userId), fromSeq: String(from) });
          return { ...proof, userId, name, from };
        },
        staleTime: Number.POSITIVE_INFINITY,
      };
    }),
  });
  const done = answers.flatMap(({ data }) => data ?? []);
  const key = done.map(({ userId }) => userId).join(',');
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the answers never change; the array of them is another one every time
  return useMemo(() => (done.length === members.length ? done : undefined), [key, members.length]);
}

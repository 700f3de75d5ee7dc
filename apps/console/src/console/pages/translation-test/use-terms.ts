import { useQuery } from '@tanstack/react-query';
import { pairTerms } from '@yiqiao/contracts/glossary';
import type { Term } from '@yiqiao/domain/glossary';
import { call } from '../../../shared/api/call.js';

const NONE: readonly Term[] = [];

/** The family's own words for a pair of languages; none until they are there, or if they cannot be had: they are only shown. */
export function useTerms(source: string, target: string): readonly Term[] {
  const { data } = useQuery({
    queryKey: ['terms', source, target],
    queryFn: ({ signal }) => call(pairTerms, { source, target }, { signal }),
    retry: false,
  });
  return data?.terms ?? NONE;
}

import { pairTerms } from '@yiqiao/contracts/glossary';
import type { Term } from '@yiqiao/domain/glossary';
import { useEndpoint } from '../../../shared/api/use-endpoint.js';

const NONE: readonly Term[] = [];

/** The family's own words for a pair of languages; none until they are there, or if they cannot be had: they are only shown. */
export function useTerms(source: string, target: string): readonly Term[] {
  const { data } = useEndpoint(pairTerms, { source, target });
  return data?.terms ?? NONE;
}

import { useSearchParams } from 'react-router';
import type { Kind } from './visits.js';

const KINDS: readonly Kind[] = ['text', 'voice', 'image'];

/** Which tab is open; its name stands in the address, so that it can be linked to and survives a reload. */
export function useTab(): readonly [Kind, (tab: Kind) => void] {
  const [params, setParams] = useSearchParams();
  const asked = params.get('tab');
  const tab = KINDS.find((kind) => kind === asked) ?? 'text';
  return [tab, (next) => setParams(next === 'text' ? {} : { tab: next }, { replace: true })];
}

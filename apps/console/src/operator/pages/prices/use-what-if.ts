import { useCan } from '@refinedev/core';
import type { Response } from '@yiqiao/contracts/endpoint';
import { cancelWhatIf, getWhatIf, listWhatIfs, resumeWhatIf, startWhatIf } from '@yiqiao/contracts/operator/what-if';
import { useEffect, useState } from 'react';
import { useEndpoint, useEndpointMutation, useInvalidateEndpoint } from '../../../shared/refine/use-endpoint.js';
import { onOperatorEvent } from '../../shared/live.js';

export type WhatIf = Response<typeof getWhatIf>;
export type WhatIfRow = Response<typeof listWhatIfs>['rows'][number];
export type Result = NonNullable<WhatIf['result']>;

/** An event may be lost. */
const POLL_MS = 3_000;

export const isUnderWay = ({ state }: Pick<WhatIf, 'state'>): boolean => state === 'waiting' || state === 'running';

/** One run; follows it while it is under way. */
export function useWhatIf(id: number | null) {
  const [isFollowing, setIsFollowing] = useState(true);
  const query = useEndpoint(
    getWhatIf,
    { id: String(id ?? 0) },
    { enabled: id !== null, refetchInterval: isFollowing && POLL_MS },
  );
  const { data, refetch } = query;
  const underWay = id !== null && (data === undefined || isUnderWay(data));
  useEffect(() => setIsFollowing(underWay), [underWay]);
  useEffect(() => (underWay ? onOperatorEvent('whatIf', () => void refetch()) : undefined), [underWay, refetch]);
  return query;
}

/** Starts, stops and resumes runs. */
export function useWhatIfCommands(onStarted: (id: number) => void) {
  const { data: may } = useCan({ resource: 'what-if', action: 'whatIf.run' });
  const invalidate = useInvalidateEndpoint();
  const changed = async (): Promise<void> => {
    await Promise.all([invalidate(getWhatIf), invalidate(listWhatIfs)]);
  };
  const start = useEndpointMutation(startWhatIf, {
    onSuccess: async ({ id }) => {
      onStarted(id);
      await changed();
    },
  });
  const cancel = useEndpointMutation(cancelWhatIf, { onSuccess: changed });
  const resume = useEndpointMutation(resumeWhatIf, { onSuccess: changed });
  return { may, start, cancel, resume };
}

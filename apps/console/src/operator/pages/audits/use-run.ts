import { useCan, useInvalidate, useOne, type HttpError } from '@refinedev/core';
import { cancelAuditRun, getLedgerStatus, resumeAuditRun, startAuditRun } from '@yiqiao/contracts/operator/audits';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint, useEndpointMutation, useInvalidateEndpoint } from '../../../shared/refine/use-endpoint.js';
import { toast } from '../../../shared/ui/toast.js';
import { usePollInterval } from '../../shared/presence.js';
import { isUnderWay, type Run } from './run-words.js';

/** Reads again so often while a run is under way: an event may be lost, and the command line sends none. */
const POLL_MS = 3_000;

/** One run with its differences; follows it while it is under way. */
export function useRun(id: number | undefined) {
  const interval = usePollInterval(POLL_MS);
  const { query, result } = useOne<Run, HttpError>({
    resource: 'audit-runs',
    id: id ?? 0,
    errorNotification: false,
    queryOptions: {
      enabled: id !== undefined,
      refetchInterval: ({ state }) => (state.data && isUnderWay(state.data.data) ? interval : false),
    },
  });
  return { data: result, isError: query.isError, error: query.error, refetch: query.refetch };
}

/** Starts, stops and resumes runs; every panel that shows them reads again. */
export function useRunCommands() {
  const t = useMessages('audits');
  const { data: may } = useCan({ resource: 'audit-runs', action: 'audit.run' });
  const invalidate = useInvalidate();
  const invalidateEndpoint = useInvalidateEndpoint();
  const changed = async (message: string): Promise<void> => {
    toast.success(message);
    await Promise.all([
      invalidate({ resource: 'audit-runs', invalidates: ['list', 'detail'] }),
      invalidateEndpoint(getLedgerStatus),
    ]);
  };
  const start = useEndpointMutation(startAuditRun, { onSuccess: () => changed(t('started')) });
  const cancel = useEndpointMutation(cancelAuditRun, { onSuccess: () => changed(t('stopped')) });
  const resume = useEndpointMutation(resumeAuditRun, { onSuccess: () => changed(t('resumed')) });
  return { may, start, cancel, resume };
}

/** What was found last, what is under way, and what a difference has stopped. */
export const useLedgerStatus = () => useEndpoint(getLedgerStatus, {});

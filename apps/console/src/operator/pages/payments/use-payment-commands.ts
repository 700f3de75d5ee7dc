import { useCan } from '@refinedev/core';
import {
  askGateway,
  closeException,
  getMoneyLine,
  getPaymentOrder,
  getPaymentSummary,
  listExceptions,
} from '@yiqiao/contracts/operator/payments';
import { closeDifference, listDifferences, listReconciliations } from '@yiqiao/contracts/operator/reconciliations';
import { makeRequest } from '@yiqiao/contracts/operator/requests';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpointMutation, useInvalidateEndpoint } from '../../../shared/refine/use-endpoint.js';
import { toast } from '../../../shared/ui/toast.js';

const SHOWN = [
  getPaymentOrder,
  getPaymentSummary,
  listExceptions,
  listDifferences,
  listReconciliations,
  getMoneyLine,
] as const;

/** What operators do about payments; every list that shows them reads again. */
export function usePaymentCommands() {
  const t = useMessages('payments');
  const { data: maySettle } = useCan({ resource: 'orders', action: 'payment.settle' });
  const { data: mayRefund } = useCan({ resource: 'refunds', action: 'payment.refund' });
  const { data: mayClose } = useCan({ resource: 'exceptions', action: 'payment.closeException' });
  const { data: mayImport } = useCan({ resource: 'statements', action: 'statement.import' });
  const invalidate = useInvalidateEndpoint();
  const readAgain = async (): Promise<void> => {
    await Promise.all(SHOWN.map((endpoint) => invalidate(endpoint)));
  };
  const done = (message: string): Promise<void> => {
    toast.success(message);
    return readAgain();
  };
  const ask = useEndpointMutation(askGateway, {
    onSuccess: ({ credited, gatewayState }) =>
      done(credited ? t('askedCredited') : t('asked', { state: t(`gatewayState_${gatewayState}`) })),
  });
  const close = useEndpointMutation(closeException, { onSuccess: () => done(t('closed')) });
  const closeOne = useEndpointMutation(closeDifference, { onSuccess: () => done(t('closed')) });
  const request = useEndpointMutation(makeRequest, { onSuccess: () => done(t('requested')) });
  return { maySettle, mayRefund, mayClose, mayImport, ask, close, closeOne, request, readAgain };
}

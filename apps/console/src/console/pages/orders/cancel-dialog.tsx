import { cancelOrder } from '@yiqiao/contracts/orders';
import { ApiError } from '../../../shared/api/api-error.js';
import { showRefusal } from '../../../shared/api/show-refusal.js';
import { useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.js';
import type { DialogFrame } from '../../shared/dialogs/dialog-frame.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import type { Order } from './order.js';

/** Confirms, then cancels the order. If it is no longer open, the refusal says so and the list shows its status. */
export function CancelDialog({ frame, order, look }: { frame: DialogFrame; order: Order; look: () => void }) {
  const t = useMessages('orders');
  const close = (): void => {
    look();
    frame.onClose();
  };
  const { mutate, isPending } = useEndpointMutation(cancelOrder, {
    successMessage: () => t('cancelled'),
    onSuccess: close,
    onError: (error) => {
      showRefusal(error);
      if (error instanceof ApiError && error.status === 409) close();
    },
  });
  return (
    <ConfirmDialog
      frame={frame}
      title={t('cancelTitle')}
      verb={t('cancelVerb')}
      keep={t('cancelKeep')}
      look="danger"
      busy={isPending}
      onConfirm={() => mutate({ id: order.id })}
    >
      <p>
        {t('no')} <span className="dynamic-text numeric">{order.no}</span>
      </p>
      <p>{t('cancelWhy')}</p>
    </ConfirmDialog>
  );
}

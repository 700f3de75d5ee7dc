import { cancelOrder } from '@yiqiao/contracts/orders';
import { ApiError } from '../../../shared/api/api-error.js';
import { call } from '../../../shared/api/call.js';
import { ConfirmDialog } from '../../../shared/dialogs/confirm-dialog.js';
import type { DialogFrame } from '../../../shared/dialogs/dialog-frame.js';
import { sayRefusal } from '../../../shared/dialogs/use-action.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { toast } from '../../../shared/ui/toast.js';
import type { Order } from './order.js';

/** Asks, then closes the order. One that is no longer open says so, and the list shows what it is now. */
export function CancelDialog({ frame, order, look }: { frame: DialogFrame; order: Order; look: () => void }) {
  const t = useTexts('orders');
  const cancel = async (): Promise<void> => {
    try {
      await call(cancelOrder, { id: order.id });
      toast.success(t('cancelled'));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
      sayRefusal(error);
    }
    look();
    frame.onClose();
  };
  return (
    <ConfirmDialog
      frame={frame}
      title={t('cancelTitle')}
      verb={t('cancelVerb')}
      keep={t('cancelKeep')}
      look="danger"
      onConfirm={cancel}
    >
      <p>
        {t('no')} <span className="dyn num">{order.no}</span>
      </p>
      <p>{t('cancelWhy')}</p>
    </ConfirmDialog>
  );
}

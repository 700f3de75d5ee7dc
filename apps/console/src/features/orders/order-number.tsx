import { copyText } from '../../shared/clipboard.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { Icon } from '../../shared/ui/icon.js';

/** The number of an order, which copies itself. */
export function OrderNumber({ no }: { no: string }) {
  const t = useTexts('orders');
  return (
    <span className="od-no">
      <span className="num">{no}</span>
      <button type="button" className="x" aria-label={t('copyNamed', { no })} onClick={() => void copyText(no)}>
        <Icon name="copy" />
      </button>
    </span>
  );
}

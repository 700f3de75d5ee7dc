import { copyText } from '../../shared/clipboard.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { Icon } from '../../shared/ui/icon.js';

/** The number of an order, which copies itself. */
export function OrderNumber({ no }: { no: string }) {
  const t = useTexts('orders');
  return (
    <button
      type="button"
      className="od-no"
      aria-label={t('copyNamed', { no })}
      onClick={({ currentTarget }) => void copyText(no, currentTarget)}
    >
      <span className="num">{no}</span>
      <Icon name="copy" />
    </button>
  );
}

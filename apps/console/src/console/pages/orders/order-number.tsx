import { copyText } from '../../../shared/clipboard.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { Icon } from '../../../shared/ui/icon.js';

/** `YQ` and the second of the order; what follows tells orders of one second apart. */
const MOMENT_LENGTH = 16;

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
      <span className="num">
        {no.slice(0, MOMENT_LENGTH)}
        <wbr />
        {no.slice(MOMENT_LENGTH)}
      </span>
      <Icon name="copy" />
    </button>
  );
}

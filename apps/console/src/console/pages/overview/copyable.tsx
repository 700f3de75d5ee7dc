import { copyText } from '../../../shared/clipboard.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { Icon } from '../../../shared/ui/icon.js';

/** A label and a value that copies itself when clicked (specification §2). */
export function Copyable({ label, value }: { label: string; value: string }) {
  const t = useTexts('overview');
  return (
    <span className="ov-copy">
      {label}
      <button
        type="button"
        title={t('clickToCopy')}
        onClick={({ currentTarget }) => void copyText(value, currentTarget)}
      >
        <span className="dyn">{value}</span>
        <Icon name="copy" />
        <span className="vh">{t('clickToCopy')}</span>
      </button>
    </span>
  );
}

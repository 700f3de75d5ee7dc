import { useMessages } from '../../shared/i18n/messages.js';
import { Mark } from '../../shared/site/logo.js';

/** Logo, brand and whose side of the bridge it is. */
export function Wordmark() {
  const t = useMessages('operator');
  const shared = useMessages('shared');
  return (
    <>
      <Mark />
      <b>{shared('brand')}</b>
      <i>{t('operators')}</i>
    </>
  );
}

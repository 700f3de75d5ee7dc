import { useState } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';
import type { PayForm } from './pay-form.js';
import { openPayTab } from './pay-tab.js';

/** In the place of a code: where the payment page is, and a button that opens it, first or again. */
export function PayTabPane({ form, inTab }: { form: PayForm; inTab: boolean }) {
  const t = useMessages('payment');
  const [opened, setOpened] = useState(inTab);
  const open = (): void => setOpened(openPayTab()?.submit(form) ?? false);
  return (
    <div className="pay-tab">
      <Icon name={opened ? 'shield' : 'alert'} />
      <b>{t(opened ? 'inTab' : 'blocked')}</b>
      <p>{t(opened ? 'inTabWhy' : 'blockedWhy')}</p>
      <button type="button" className={opened ? 'btn btn-d' : 'btn btn-p'} onClick={open}>
        {t(opened ? 'openTabAgain' : 'openTab')}
      </button>
    </div>
  );
}

import { Suspense, useState } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { LogOffDialog } from './lazy-dialogs.js';

/** Closes the account: the last line of the page (specification §2, main accounts only). */
export function LogOff() {
  const t = useMessages('overview');
  const [dialog, setDialog] = useState({ shown: false, open: false });

  return (
    <p className="ov-off">
      {t('offAsk')}
      <button type="button" className="link" onClick={() => setDialog({ shown: true, open: true })}>
        {t('offLink')}
      </button>
      {t('offWhat')}
      {dialog.shown && (
        <Suspense>
          <LogOffDialog
            frame={{
              open: dialog.open,
              onClose: () => setDialog({ shown: true, open: false }),
              afterClose: () => setDialog({ shown: false, open: false }),
            }}
          />
        </Suspense>
      )}
    </p>
  );
}

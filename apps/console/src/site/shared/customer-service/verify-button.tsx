import { lazy, Suspense, useState } from 'react';
import { loadMessages, useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';

const VerifyDialog = lazy(async () => {
  const [dialog] = await Promise.all([import('./verify-dialog.js'), loadMessages('customer-service')]);
  return dialog;
});

/** Opens the verification dialog, whose code and messages are loaded on demand. */
export function VerifyButton({ className }: { className: string }) {
  const t = useMessages('shared');
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={className} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name="shield" />
        {t('verifyService')}
      </button>
      {open && (
        <Suspense>
          <VerifyDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

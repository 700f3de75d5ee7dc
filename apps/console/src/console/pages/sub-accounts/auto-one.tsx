import { changeAutoDistribution } from '@yiqiao/contracts/sub-accounts';
import { Switch } from 'antd';
import { useId, useState } from 'react';
import { call } from '../../../shared/api/call.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { ConfirmDialog } from '../../../shared/dialogs/confirm-dialog.js';
import { toast } from '../../../shared/ui/toast.js';
import type { ChildUser } from './child-user.js';
import { useRefreshFamily } from './use-family.js';

/** Auto-distribution of one sub-account: asks, then sets the opposite (specification §4). Apart from the form: it applies at once. */
export function AutoOne({ child }: { child: ChildUser }) {
  const t = useTexts('sub-accounts');
  const refresh = useRefreshFamily();
  const id = useId();
  const [on, setOn] = useState(child.autoDistribution === 1);
  const [asking, setAsking] = useState(false);
  const change = async (): Promise<void> => {
    await call(changeAutoDistribution, { userId: child.userId, autoDistribution: on ? 0 : 1 });
    setOn(!on);
    toast.success(t('modified'));
    refresh();
    setAsking(false);
  };
  return (
    <section className="sa-option apart">
      <div>
        <b id={id}>{t('autoField')}</b>
        <p className="faint">{t('autoNote')}</p>
      </div>
      <Switch checked={on} aria-labelledby={id} onChange={() => setAsking(true)} />
      <ConfirmDialog
        frame={{ open: asking, onClose: () => setAsking(false), afterClose: () => undefined }}
        title={
          <>
            {t(on ? 'autoOffTitle' : 'autoOnTitle')}
            <span className="dyn">{child.account}</span>
          </>
        }
        verb={t(on ? 'autoOffVerb' : 'autoOnVerb')}
        onConfirm={change}
      >
        <p>{t(on ? 'autoOffWhy' : 'autoOnWhy')}</p>
      </ConfirmDialog>
    </section>
  );
}

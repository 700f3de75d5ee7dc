import { Button, Drawer, Form, Skeleton } from 'antd';
import { useState } from 'react';
import { ApiError } from '../../../shared/api/api-error.js';
import { refreshUser, useMember } from '../../../shared/auth/user.js';
import { refusalInto } from '../../../shared/form/refusal-into.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { ErrorState } from '../../../shared/ui/error-state.js';
import type { DialogFrame } from '../../../shared/dialogs/dialog-frame.js';
import { useAction } from '../../../shared/dialogs/use-action.js';
import { AutoOne } from './auto-one.js';
import type { ChildFormFields } from './child-fields.js';
import { ChildFormBody } from './child-form.js';
import type { ChildUser } from './child-user.js';
import { Upsell } from './upsell.js';
import { useChildInfo } from './use-child-info.js';

type ChildDrawerProps = {
  frame: DialogFrame;
  /** The row that is edited, filled in afresh by getChildInfo; absent when one is added. */
  edited?: ChildUser;
  /** Whether there are sub-accounts already. */
  hasSome: boolean;
  onAdded: () => void;
};

/** Adds or edits a sub-account (specification §2). A failed save leaves it open with everything that was typed. */
export function ChildDrawer({ frame, edited, hasSome, onAdded }: ChildDrawerProps) {
  const t = useTexts('sub-accounts');
  const { createChildUser } = useMember();
  const [form] = Form.useForm<ChildFormFields>();
  const { busy, run } = useAction();
  const { info, reload } = useChildInfo(edited?.userId);
  const [refused, setRefused] = useState(false); // the plan changed since the page was loaded
  const upsell = !edited && (!createChildUser || refused);
  const ready = !edited || info.status === 'ready';

  const fail = (error: unknown): void => {
    if (error instanceof ApiError && error.code === 'SUB_ACCOUNTS_NOT_INCLUDED') {
      setRefused(true);
      refreshUser().catch(() => undefined);
    } else refusalInto(form, { USERNAME_TAKEN: 'account' })(error);
  };
  const saved = (): void => {
    if (!edited) onAdded();
    frame.onClose();
  };

  return (
    <Drawer
      open={frame.open}
      width={440}
      rootClassName="sa-drawer"
      title={<span className="display">{t(edited ? 'editTitle' : 'addTitle')}</span>}
      keyboard={!busy}
      closable={!busy}
      maskClosable={false}
      onClose={frame.onClose}
      afterOpenChange={(shown) => {
        if (!shown) frame.afterClose();
        else if (!upsell && !edited) form.focusField('account');
      }}
      footer={
        !upsell && (
          <div className="sa-foot">
            <Button disabled={busy} onClick={frame.onClose}>
              {t('cancel')}
            </Button>
            <Button type="primary" loading={busy} disabled={!ready} onClick={() => form.submit()}>
              {t('save')}
            </Button>
          </div>
        )
      }
    >
      {upsell && <Upsell hasSome={hasSome} onClose={frame.onClose} />}
      {!upsell && !edited && (
        <ChildFormBody form={form} edited={undefined} run={(work) => run(work, fail)} onSaved={saved} />
      )}
      {edited && info.status === 'loading' && <Skeleton active title={false} paragraph={{ rows: 8 }} />}
      {edited && info.status === 'failed' && <ErrorState onReload={reload}>{info.why}</ErrorState>}
      {edited && info.status === 'ready' && (
        <>
          <ChildFormBody form={form} edited={info.child} run={(work) => run(work, fail)} onSaved={saved} />
          <AutoOne child={info.child} />
        </>
      )}
    </Drawer>
  );
}

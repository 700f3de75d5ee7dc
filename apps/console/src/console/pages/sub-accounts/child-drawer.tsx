import { useForm } from '@refinedev/antd';
import type { HttpError } from '@refinedev/core';
import { Button, Drawer, Form, Skeleton, type FormProps } from 'antd';
import { useState } from 'react';
import { ApiError, messageOf } from '../../../shared/api/api-error.js';
import { refreshUser, useMember } from '../../../shared/auth/user.js';
import { refusalInto } from '../../../shared/form/refusal-into.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { ErrorState } from '../../../shared/ui/error-state.js';
import type { DialogFrame } from '../../../shared/dialogs/dialog-frame.js';
import { AutoOne } from './auto-one.js';
import { ChildFields, type ChildFormFields } from './child-fields.js';
import { nicknameOf, type ChildUser } from './child-user.js';
import { Upsell } from './upsell.js';

const flagOf = (on: boolean): 0 | 1 => (on ? 1 : 0);

const initialOf = (edited: ChildUser | undefined): ChildFormFields => ({
  account: '',
  password: '',
  nickname: (edited && nicknameOf(edited)) ?? '',
  enabled: edited?.enabled !== 0,
});

/** What the endpoint takes: an edited sub-account keeps its name and password. */
const variablesOf = (fields: ChildFormFields, edited: ChildUser | undefined): Record<string, unknown> => {
  const { account, password, enabled } = fields;
  const nickname = fields.nickname.trim();
  // Without a nickname it gets back the one that everybody begins with: the account's own name.
  if (edited) return { nickname: nickname || edited.account, enabled: flagOf(enabled) };
  return { account, password, enabled: flagOf(enabled), ...(nickname === '' ? {} : { nickname }) };
};

type ChildDrawerProps = {
  frame: DialogFrame;
  /** The row that is edited, read again for the form; absent when one is added. */
  edited?: ChildUser;
  /** Whether there are sub-accounts already. */
  hasSome: boolean;
  onAdded: () => void;
};

/** Adds or edits a sub-account (specification §2). A failed save leaves it open with everything that was typed. */
export function ChildDrawer({ frame, edited, hasSome, onAdded }: ChildDrawerProps) {
  const t = useTexts('sub-accounts');
  const { createChildUser } = useMember();
  const [refused, setRefused] = useState(false); // the plan changed since the page was loaded
  const { form, formProps, mutation, onFinish, query } = useForm<ChildUser, HttpError, Record<string, unknown>>({
    resource: 'childUsers',
    action: edited ? 'edit' : 'create',
    id: edited?.userId,
    queryOptions: { gcTime: 0, staleTime: 'static' }, // no live update overwrites what is being typed
    liveMode: 'off',
    invalidates: [], // live: what the provider publishes reads the lists again
    redirect: false,
    successNotification: { type: 'success', message: t(edited ? 'modified' : 'added') },
    errorNotification: false,
    disableServerSideValidation: true,
    onMutationSuccess: () => {
      if (!edited) onAdded();
      frame.onClose();
    },
    onMutationError: (error: unknown) => {
      if (error instanceof ApiError && error.code === 'SUB_ACCOUNTS_NOT_INCLUDED') {
        setRefused(true);
        refreshUser().catch(() => undefined);
      } else refusalInto(form, { USERNAME_TAKEN: 'account' })(error);
    },
  });
  const child = edited && query?.data?.data;
  const busy = mutation.isPending;
  const upsell = !edited && (!createChildUser || refused);
  const ready = !edited || child !== undefined;
  const save = (fields: ChildFormFields): void => {
    if (!busy) onFinish(variablesOf(fields, child)).catch(() => undefined); // shown by onMutationError
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
      {!upsell && ready && (
        <Form<ChildFormFields>
          {...(formProps as FormProps<ChildFormFields>)}
          name="child"
          className="sa-form"
          layout="vertical"
          requiredMark={false}
          initialValues={initialOf(child)}
          onFinish={save}
        >
          <ChildFields account={child?.account} />
          {/* Enter in a field saves; the visible button is in the drawer's footer. */}
          <button type="submit" className="vh" tabIndex={-1} aria-hidden="true" />
        </Form>
      )}
      {child && <AutoOne child={child} />}
      {edited && !child && !query?.isError && <Skeleton active title={false} paragraph={{ rows: 8 }} />}
      {edited && !child && query?.isError && (
        <ErrorState onReload={() => void query.refetch()}>{messageOf(query.error)}</ErrorState>
      )}
    </Drawer>
  );
}

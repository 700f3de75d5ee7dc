import { useForm } from '@refinedev/antd';
import type { HttpError, OpenNotificationParams } from '@refinedev/core';
import type { createApiKey } from '@yiqiao/contracts/api-keys';
import type { Response } from '@yiqiao/contracts/endpoint';
import { Button, Drawer, Form, Skeleton } from 'antd';
import { useState } from 'react';
import { notificationInto } from '../../../shared/antd/refusal-into.js';
import { messageOf } from '../../../shared/api/api-error.js';
import { isMain, useMember } from '../../../shared/auth/user.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useSingleSubmit } from '../../../shared/refine/use-single-submit.js';
import { ErrorState } from '../../../shared/ui/error-state.js';
import type { DialogFrame } from '../../shared/dialogs/dialog-frame.js';
import { SavedButton } from '../../shared/dialogs/saved-button.js';
import { KeyFormFields } from './key-fields.js';
import { fieldsOf, type KeyFields, variablesOf } from './key-form.js';
import type { ApiKey } from './key.js';
import { SecretPanel } from './secret-panel.js';

type Created = Response<typeof createApiKey>;
type KeyDrawerProps = {
  frame: DialogFrame;
  /** The edited row, refetched for the form because saving replaces every setting; absent for a new key. */
  edited?: ApiKey;
  onCreated: () => void;
};

/**
 * Makes a key or edits one. A failed save leaves it open with everything that was typed. A new key's secret takes the place of the form,
 * and the drawer then only closes by the button that says it was kept.
 */
export function KeyDrawer({ frame, edited, onCreated }: KeyDrawerProps) {
  const t = useMessages('api-keys');
  const member = useMember();
  const [created, setCreated] = useState<Created | null>(null);
  const { form, mutation, onFinish, query } = useForm<
    ApiKey,
    HttpError,
    Record<string, unknown>,
    ApiKey,
    ApiKey | Created
  >({
    resource: 'apiKeys',
    action: edited ? 'edit' : 'create',
    id: edited?.id,
    queryOptions: { gcTime: 0, staleTime: 'static' }, // no live update overwrites what is being typed
    liveMode: 'off',
    redirect: false,
    successNotification: edited ? { type: 'success', message: t('modified') } : false,
    errorNotification: (error): OpenNotificationParams | false => notificationInto(form)(error),
    disableServerSideValidation: true,
    onMutationSuccess: ({ data }) => {
      if (!('secret' in data)) return frame.onClose();
      setCreated(data);
      onCreated();
    },
  });
  const apiKey = edited && query?.data?.data;
  const busy = mutation.isPending;
  const ready = !edited || apiKey !== undefined;
  const canWrite = isMain(member) && (!edited || edited.userId === member.userId);
  const save = useSingleSubmit((fields: KeyFields) => onFinish(variablesOf(fields, apiKey)));
  const fixed = busy || created !== null;

  return (
    <Drawer
      open={frame.open}
      width={520}
      rootClassName="ak-drawer"
      title={<span className="display">{t(created ? 'secretTitle' : edited ? 'editTitle' : 'createTitle')}</span>}
      keyboard={!fixed}
      closable={!fixed}
      maskClosable={false}
      autoFocus={edited !== undefined} // a new key begins at its name
      onClose={frame.onClose}
      afterOpenChange={(shown) => {
        if (!shown) frame.afterClose();
        else if (!edited) form.focusField('name');
      }}
      footer={
        <div className="ak-foot">
          {created ? (
            <SavedButton onClick={frame.onClose}>{t('saved')}</SavedButton>
          ) : (
            <>
              <Button disabled={busy} onClick={frame.onClose}>
                {t('cancel')}
              </Button>
              <Button type="primary" loading={busy} disabled={!ready} onClick={() => form.submit()}>
                {t(edited ? 'save' : 'createVerb')}
              </Button>
            </>
          )}
        </div>
      }
    >
      {created && <SecretPanel apiKey={created.apiKey} secret={created.secret} />}
      {!created && ready && (
        <Form
          form={form}
          name="api-key"
          className="ak-form"
          layout="vertical"
          requiredMark={false}
          initialValues={fieldsOf(apiKey)}
          onFinish={(fields) => save({ ...fieldsOf(apiKey), ...(fields as Partial<KeyFields>) })}
        >
          <KeyFormFields edited={apiKey} canWrite={canWrite} />
          {/* Enter in a field saves; the visible button is in the drawer's footer. */}
          <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true" />
        </Form>
      )}
      {edited && !apiKey && !query?.isError && <Skeleton active title={false} paragraph={{ rows: 10 }} />}
      {edited && !apiKey && query?.isError && (
        <ErrorState onReload={() => void query.refetch()}>{messageOf(query.error)}</ErrorState>
      )}
    </Drawer>
  );
}

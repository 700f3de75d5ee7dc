import { browserSupportsWebAuthn, startRegistration } from '@simplewebauthn/browser';
import type { Request, Response } from '@yiqiao/contracts/endpoint';
import { addPasskey, beginPasskey, listOwnPasskeys, removePasskey } from '@yiqiao/contracts/operator/passkeys';
import { PASSKEY_NAME_MAX } from '@yiqiao/domain/operators';
import { Button, Form, Input } from 'antd';
import { useState } from 'react';
import { antdRule, FormField } from '../../../shared/antd/form-field.js';
import { refusalInto } from '../../../shared/antd/refusal-into.js';
import { byContract } from '../../../shared/form/contract-rules.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint, useEndpointMutation, useInvalidateEndpoint } from '../../../shared/refine/use-endpoint.js';
import { toast } from '../../../shared/ui/toast.js';
import { Loaded } from '../../shared/states.js';
import { CODE_FIELDS, CodeItem, FormDialog } from './operator-dialogs.js';

type Passkey = Response<typeof listOwnPasskeys>['rows'][number];

function AddDialog({ onClose }: { onClose: () => void }) {
  const t = useMessages('operators');
  const [form] = Form.useForm<{ name: string; code: string }>();
  const [isAsking, setAsking] = useState(false);
  const invalidate = useInvalidateEndpoint();
  const { mutate: add, isPending: isAdding } = useEndpointMutation(addPasskey, {
    successMessage: () => t('passkeyAdded'),
    onSuccess: async () => {
      await invalidate(listOwnPasskeys);
      onClose();
    },
  });
  const { mutate: begin, isPending: isBeginning } = useEndpointMutation(beginPasskey, {
    onSuccess: async (optionsJSON) => {
      setAsking(true);
      try {
        const credential = await startRegistration({ optionsJSON });
        add({ credential: credential as Request<typeof addPasskey>['credential'] });
      } catch {
        // Declined, timed out, or already there: the code is used, so the dialog begins anew.
        toast.info(t('passkeyStopped'));
        form.resetFields(['code']);
      } finally {
        setAsking(false);
      }
    },
    onError: refusalInto(form, { ...CODE_FIELDS, PASSKEYS_FULL: 'name' }),
  });
  return (
    <FormDialog
      title={t('passkeyAdd')}
      note={t('passkeyNote')}
      submit={t('passkeyNext')}
      form={form}
      pending={isBeginning || isAsking || isAdding}
      onSubmit={begin}
      onClose={onClose}
    >
      <FormField
        name="name"
        label={t('passkeyName')}
        extra={t('passkeyNameHint')}
        rules={[antdRule(byContract(beginPasskey.request.shape.name))]}
      >
        <Input maxLength={PASSKEY_NAME_MAX} autoComplete="off" />
      </FormField>
      <CodeItem />
    </FormDialog>
  );
}

function RemoveDialog({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const t = useMessages('operators');
  const [form] = Form.useForm<{ code: string }>();
  const invalidate = useInvalidateEndpoint();
  const { mutate, isPending } = useEndpointMutation(removePasskey, {
    successMessage: () => t('passkeyRemoved'),
    onSuccess: async () => {
      await invalidate(listOwnPasskeys);
      onClose();
    },
    onError: refusalInto(form, CODE_FIELDS),
  });
  return (
    <FormDialog
      title={t('passkeyRemoveOf', { name })}
      note={t('passkeyRemoveNote')}
      submit={t('passkeyRemove')}
      danger
      form={form}
      pending={isPending}
      onSubmit={({ code }) => mutate({ id, code })}
      onClose={onClose}
    >
      <CodeItem />
    </FormDialog>
  );
}

/** The passkeys of one's own account. */
export function OwnPasskeys() {
  const t = useMessages('operators');
  const [open, setOpen] = useState<'add' | Passkey | null>(null);
  const query = useEndpoint(listOwnPasskeys, {});
  const close = (): void => setOpen(null);
  const timesOf = ({ createdAt, lastUsedAt }: Passkey): string =>
    lastUsedAt === null
      ? t('passkeyUnused', { created: createdAt.slice(0, 10) })
      : t('passkeyUsed', { created: createdAt.slice(0, 10), used: lastUsedAt.slice(0, 16) });
  const supported = browserSupportsWebAuthn();
  return (
    <section className="own-passkeys" aria-labelledby="own-passkeys">
      <h3 id="own-passkeys">{t('passkeys')}</h3>
      <Loaded query={query} rows={1}>
        {({ rows }) =>
          rows.length === 0 ? (
            <p className="muted">{t('passkeysNone')}</p>
          ) : (
            <ul className="own-sessions">
              {rows.map((passkey) => (
                <li key={passkey.id}>
                  <div>
                    <b>{passkey.name}</b>
                    <small className="numeric">{timesOf(passkey)}</small>
                  </div>
                  <Button
                    size="small"
                    aria-label={t('passkeyRemoveOf', { name: passkey.name })}
                    onClick={() => setOpen(passkey)}
                  >
                    {t('passkeyRemove')}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <div className="own-buttons">
        <Button disabled={!supported} onClick={() => setOpen('add')}>
          {t('passkeyAdd')}
        </Button>
        {!supported && <span className="muted">{t('passkeyUnsupported')}</span>}
      </div>
      {open === 'add' && <AddDialog onClose={close} />}
      {open !== null && open !== 'add' && <RemoveDialog passkey={open} onClose={close} />}
    </section>
  );
}

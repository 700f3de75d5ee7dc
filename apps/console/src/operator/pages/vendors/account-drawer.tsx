import { CanAccess, useCan } from '@refinedev/core';
import {
  changeVendorAccount,
  listVendorAccounts,
  pauseVendorAccount,
  removeVendorAccount,
  resumeVendorAccount,
  setVendorKey,
  testVendorAccount,
} from '@yiqiao/contracts/operator/vendors';
import { Button, Drawer, Form, Popconfirm } from 'antd';
import { useState } from 'react';
import { grouped } from '../../../shared/amounts.js';
import { refusalInto } from '../../../shared/antd/refusal-into.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { usePageTitle } from '../../../shared/page-frame.js';
import { useEndpointMutation, useInvalidateEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Icon } from '../../../shared/ui/icon.js';
import { toast } from '../../../shared/ui/toast.js';
import {
  type Address,
  AddressFields,
  CapFields,
  CodeItem,
  CostFields,
  ReasonItem,
  sentAddress,
  sentTerms,
  type Terms,
  termsOf,
} from './account-fields.js';
import { type Account, type Channel, kindText } from './health-table.js';
import type { Tested } from './use-tests.js';
import { WeightFields, type Weights, WEIGHTS, weightsOf } from './weights.js';

type Props = {
  channel: Channel;
  account: Account | undefined;
  /** The moment of the figures, wire format. */
  now: string;
  onClose: () => void;
};

export function AccountDrawer({ channel, account, now, onClose }: Props) {
  const t = useMessages('vendors');
  if (!account)
    return (
      <Drawer open onClose={onClose} width="min(520px, 100vw)" title={channel.name}>
        <p className="muted">{t('gone')}</p>
      </Drawer>
    );
  return <Open channel={channel} account={account} now={now} onClose={onClose} />;
}

type Fields = Omit<Terms, 'weight'> & { [WEIGHTS]: Weights; reason: string };

function Open({ channel, account, now, onClose }: Props & { account: Account }) {
  const t = useMessages('vendors');
  usePageTitle(t('account', { channel: channel.name, name: account.name }));
  const { data: may } = useCan({ resource: 'vendor-accounts', action: 'vendorAccount.change' });
  const [form] = Form.useForm<Fields>();
  const own = account.origin === 'console';
  const invalidate = useInvalidateEndpoint();
  const reload = (): Promise<void> => invalidate(listVendorAccounts);
  const onError = refusalInto(form);
  const save = useEndpointMutation(changeVendorAccount, { onError });
  const pause = useEndpointMutation(pauseVendorAccount, {
    successMessage: () => t('pausedDone'),
    onSuccess: reload,
    onError,
  });
  const resume = useEndpointMutation(resumeVendorAccount, {
    successMessage: () => t('resumedDone'),
    onSuccess: reload,
    onError,
  });
  const remove = useEndpointMutation(removeVendorAccount, {
    successMessage: () => t('removedDone'),
    onSuccess: async () => {
      await reload();
      onClose();
    },
    onError,
  });
  /** Runs it with the reason, or asks for one. */
  const withReason = (run: (input: { id: string; reason: string }) => void) => (): void => {
    void form.validateFields(['reason']).then(({ reason }) => run({ id: String(account.id), reason }));
  };
  /** Its own terms, then the weights of the others that were moved with it. */
  const submit = async ({ reason, [WEIGHTS]: weights, ...terms }: Fields): Promise<void> => {
    const id = String(account.id);
    const { charCost, voiceCost, imageCost, ...rest } = sentTerms({
      ...termsOf(account),
      ...terms,
      weight: weights[id] ?? account.weight,
    });
    const others = channel.accounts.filter(
      (other) => other.id !== account.id && other.origin === 'console' && weights[other.id] !== other.weight,
    );
    try {
      await save.mutateAsync({ id, reason, charCost, voiceCost, imageCost, ...(own ? rest : {}) });
      for (const other of others)
        await save.mutateAsync({ id: String(other.id), reason, weight: weights[other.id] ?? other.weight });
      toast.success(t('saved'));
      onClose();
    } catch {
      // Shown in the form, which stays open.
    } finally {
      await reload();
    }
  };
  const { endsAt } = account.health;
  return (
    <Drawer
      open
      onClose={onClose}
      width="min(520px, 100vw)"
      title={
        <div className="vendors-title">
          {t('account', { channel: channel.name, name: account.name })}
          <small>{keyText(account, t)}</small>
        </div>
      }
      footer={
        may?.can ? (
          <div className="vendors-foot">
            {own && (
              <span className="vendors-foot-start">
                <Button onClick={account.paused ? withReason(resume.mutate) : withReason(pause.mutate)}>
                  {t(account.paused ? 'resume' : 'pause')}
                </Button>
                <Popconfirm
                  title={t('removeAsk', { name: account.name })}
                  description={t('removeWhy')}
                  okText={t('remove')}
                  okButtonProps={{ danger: true }}
                  cancelText={t('cancel')}
                  onConfirm={withReason(remove.mutate)}
                >
                  <Button danger type="text">
                    {t('remove')}
                  </Button>
                </Popconfirm>
              </span>
            )}
            {!own && <span className="faint">{t('effective')}</span>}
            <Button onClick={onClose}>{t('cancel')}</Button>
            <Button type="primary" loading={save.isPending} onClick={() => form.submit()}>
              {t('save')}
            </Button>
          </div>
        ) : (
          <span className="faint">{may?.reason}</span>
        )
      }
    >
      {!own && <p className="remark">{t('originNote')}</p>}
      {endsAt !== null && (
        <p className="remark warning">
          <Icon name="clock" />{' '}
          <span>
            {t('endsAt', { chars: grouped(account.health.charsLastHour) })}{' '}
            <b>{t('endsAtTime', { time: endsAt.slice(11, 16) })}</b>
            {t(channel.accounts.length > 1 ? 'endsAtThen' : 'endsAtAlone')}
          </span>
        </p>
      )}
      <Form
        form={form}
        name="vendor-account"
        layout="vertical"
        requiredMark={false}
        disabled={!may?.can}
        initialValues={{ ...termsOf(account), [WEIGHTS]: weightsOf(channel) }}
        onFinish={(given: Fields) => void submit(given)}
      >
        <WeightFields channel={channel} account={account} now={now} mayChange={may?.can ?? false} />
        <CapFields disabled={!own || !may?.can} />
        <CostFields />
        {may?.can && <ReasonItem />}
      </Form>
      <CanAccess resource="vendor-accounts" action="vendorAccount.change">
        <Test account={account} />
      </CanAccess>
      {account.health.failures.length > 0 && (
        <section>
          <h3>{t('failures')}</h3>
          <ul className="vendors-failures numeric">
            {account.health.failures.map(({ at, kind, said }) => (
              <li key={at + said}>
                <span className="muted">{at.slice(11)}</span> {kindText(t, kind)} <span className="faint">{said}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {own && (
        <CanAccess resource="vendor-accounts" action="vendorAccount.setKey">
          <ChangeKey channel={channel} account={account} />
        </CanAccess>
      )}
    </Drawer>
  );
}

function keyText({ keyEnd, keySetAt }: Account, t: ReturnType<typeof useMessages<'vendors'>>): string {
  if (keyEnd === null) return keySetAt === null ? t('noKey') : '';
  return keySetAt === null
    ? t('keyEndPlain', { end: keyEnd })
    : t('keyEnd', { end: keyEnd, time: keySetAt.slice(0, 10) });
}

function Test({ account }: { account: Account }) {
  const t = useMessages('vendors');
  const [tested, setTested] = useState<Tested | null>(null);
  const { mutate, isPending } = useEndpointMutation(testVendorAccount, { onSuccess: setTested });
  return (
    <section aria-live="polite">
      <h3 className="vendors-test-head">
        {t('test')}
        <Button size="small" loading={isPending} onClick={() => mutate({ id: String(account.id) })}>
          {t(tested ? 'testAgain' : 'test')}
        </Button>
      </h3>
      {tested !== null && tested.answer !== null && (
        <>
          <div className="vendors-pair">
            <p lang={tested.source}>{tested.text}</p>
            <p lang={tested.target}>{tested.answer}</p>
          </div>
          <p className="vendors-hint success-text numeric">
            {t('tested', { time: tested.at.slice(11), ms: grouped(tested.ms), n: tested.chars })}
          </p>
        </>
      )}
      {tested?.failure && (
        <p className="remark bad">
          {t('testFailed', { kind: kindText(t, tested.failure.kind), said: tested.failure.said })}
        </p>
      )}
    </section>
  );
}

function ChangeKey({ channel, account }: { channel: Channel; account: Account }) {
  const t = useMessages('vendors');
  const [isOpen, setIsOpen] = useState(false);
  const invalidate = useInvalidateEndpoint();
  const [form] = Form.useForm<Address & { reason: string }>();
  const { mutate, isPending } = useEndpointMutation(setVendorKey, {
    successMessage: () => t('saved'),
    onSuccess: async () => {
      await invalidate(listVendorAccounts);
      setIsOpen(false);
    },
    onError: refusalInto(form, {
      SIGN_IN_CODE_WRONG: 'code',
      SIGN_IN_CODE_USED: 'code',
      OPERATOR_CODE_REQUIRED: 'code',
    }),
  });
  if (!isOpen)
    return (
      <Button className="vendors-change-key" onClick={() => setIsOpen(true)}>
        {t('changeKey')}
      </Button>
    );
  const { baseUrl, region, model } = account;
  return (
    <section>
      <h3>{t('changeKey')}</h3>
      <Form
        form={form}
        name="vendor-key"
        layout="vertical"
        requiredMark={false}
        initialValues={{ baseUrl, region: region ?? undefined, model: model ?? undefined }}
        onFinish={({ reason, ...address }) => mutate({ id: String(account.id), reason, ...sentAddress(address) })}
      >
        <AddressFields code={channel.code} hint={t('changeKeyNote')} />
        <ReasonItem />
        <CodeItem />
        <Button htmlType="submit" loading={isPending}>
          {t('saveKey')}
        </Button>
      </Form>
    </section>
  );
}

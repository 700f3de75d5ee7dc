import { useForm } from '@refinedev/antd';
import type { HttpError, OpenNotificationParams } from '@refinedev/core';
import { nickname, password, username as usernameField } from '@yiqiao/contracts/fields';
import { checkUsername } from '@yiqiao/contracts/login';
import type { SpendingCaps } from '@yiqiao/contracts/sub-accounts';
import { Button, Drawer, Form, Input, Skeleton, Switch } from 'antd';
import type { RuleObject } from 'antd/es/form/index.js';
import { useState } from 'react';
import { Link } from 'react-router';
import { ApiError, messageOf } from '../../../shared/api/api-error.js';
import { refusalNotification, useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { useSingleSubmit } from '../../../shared/refine/use-single-submit.js';
import { refreshUser, useMember } from '../../../shared/auth/user.js';
import type { DialogFrame } from '../../shared/dialogs/dialog-frame.js';
import { antdRule, FormField } from '../../../shared/antd/form-field.js';
import { clearable } from '../../../shared/antd/clearable.js';
import { notificationInto } from '../../../shared/antd/refusal-into.js';
import { byContract, sentenceOf } from '../../../shared/form/contract-rules.js';
import type { Rule } from '../../../shared/form/rules.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Empty } from '../../../shared/ui/empty.js';
import { ErrorState } from '../../../shared/ui/error-state.js';
import { PasswordInput } from '../../../shared/antd/password-input.js';
import { type CapAmounts, capAmountsOf, CapFields } from './cap-fields.js';
import { AutoOne } from './auto-one.js';
import { type ChildUser, nicknameOf } from './child-user.js';

const usernameFormed = byContract(usernameField);

/**
 * Checks the format of an account name, then whether it is taken (specification §5). The server is asked once per name; if that
 * fails, saving reports a taken name.
 */
function usernameRule(isFree: (username: string) => Promise<boolean>): RuleObject {
  let known: { name: string; free: boolean } | null = null;
  return {
    validator: async (_rule, typed: string | undefined) => {
      const name = typed ?? '';
      const code = usernameFormed(name, {});
      if (code !== null) throw new Error(sentenceOf(code));
      if (known?.name !== name) {
        try {
          known = { name, free: await isFree(name) };
        } catch (error) {
          if (error instanceof ApiError) return;
          throw error;
        }
      }
      if (!known.free) throw new Error(sentenceOf('USERNAME_TAKEN'));
    },
  };
}

type ChildFormFields = { account: string; password: string; nickname: string; enabled: boolean; caps: CapAmounts };

const nicknameFormed = byContract(nickname);
const optionalNickname: Rule = (typed, values) => (typed.trim() === '' ? null : nicknameFormed(typed, values));

/** Only for a new sub-account: name and password are never sent when editing (specification §5, decisions §9). */
function NewAccountFields() {
  const t = useMessages('sub-accounts');
  const { mutateAsync } = useEndpointMutation(checkUsername, { onError: () => undefined });
  const [accountRule] = useState(() => usernameRule((username) => mutateAsync({ username })));
  return (
    <>
      <FormField name="account" label={t('account')} extra={t('accountHint')} rules={[accountRule]}>
        <Input autoComplete="off" autoCapitalize="none" spellCheck={false} />
      </FormField>
      <FormField
        name="password"
        label={t('passwordField')}
        extra={t('passwordHint')}
        rules={[antdRule(byContract(password))]}
      >
        <PasswordInput autoComplete="new-password" />
      </FormField>
    </>
  );
}

function FixedAccount({ account }: { account: string }) {
  const t = useMessages('sub-accounts');
  return (
    <Form.Item label={t('account')} htmlFor="child-account" extra={t('accountFixed')}>
      <Input id="child-account" value={account} readOnly disabled />
    </Form.Item>
  );
}

/** The fields of a sub-account. `account`: the name when editing, absent when adding. */
function ChildFields({ account, caps }: { account?: string | undefined; caps: SpendingCaps | null }) {
  const t = useMessages('sub-accounts');
  return (
    <>
      {account === undefined ? <NewAccountFields /> : <FixedAccount account={account} />}
      <FormField name="nickname" label={t('nickname')} rules={[antdRule(optionalNickname)]}>
        <Input autoComplete="off" placeholder={t('nicknameHint')} allowClear={clearable} />
      </FormField>
      <div className="sa-option">
        <div>
          <label htmlFor="child_enabled">{t('enabled')}</label>
          <p className="faint">{t('enabledHint')}</p>
        </div>
        <Form.Item name="enabled" valuePropName="checked" noStyle>
          <Switch />
        </Form.Item>
      </div>
      <CapFields caps={caps} />
    </>
  );
}

/** The plan has no sub-accounts: offers an upgrade (specification §2). Existing ones keep working (decisions §3). */
function Upsell({ hasSome, onClose }: { hasSome: boolean; onClose: () => void }) {
  const t = useMessages('sub-accounts');
  return (
    <Empty
      title={t('upsellTitle')}
      action={
        <>
          <button type="button" className="button button-default" onClick={onClose}>
            {t('upsellClose')}
          </button>
          <Link className="button button-primary" to="/UserCenterRecharge">
            {t('upsellGo')}
          </Link>
        </>
      }
    >
      {t('upsellWhy')}
      {hasSome && (
        <>
          <br />
          {t('upsellKept')}
        </>
      )}
    </Empty>
  );
}

const flagOf = (on: boolean): 0 | 1 => (on ? 1 : 0);

const initialOf = (edited: ChildUser | undefined): ChildFormFields => ({
  account: '',
  password: '',
  nickname: (edited && nicknameOf(edited)) ?? '',
  enabled: edited?.enabled !== 0,
  caps: capAmountsOf(edited?.caps ?? null),
});

/** The request body: an edited sub-account keeps its name and password. */
const variablesOf = (fields: ChildFormFields, edited: ChildUser | undefined): Record<string, unknown> => {
  const { account, password, enabled, caps } = fields;
  const nickname = fields.nickname.trim();
  // An emptied nickname is reset to the default, the account's name.
  if (edited) return { nickname: nickname || edited.account, enabled: flagOf(enabled), caps };
  return { account, password, enabled: flagOf(enabled), caps, ...(nickname === '' ? {} : { nickname }) };
};

type ChildDrawerProps = {
  frame: DialogFrame;
  /** The edited row, refetched for the form; absent when adding. */
  edited?: ChildUser;
  /** Whether any sub-accounts exist. */
  hasSome: boolean;
  onAdded: () => void;
};

/** Adds or edits a sub-account (specification §2). A failed save leaves it open with everything that was typed. */
export function ChildDrawer({ frame, edited, hasSome, onAdded }: ChildDrawerProps) {
  const t = useMessages('sub-accounts');
  const { createChildUser } = useMember();
  const [refused, setRefused] = useState(false); // the plan changed since the page was loaded
  const { form, mutation, onFinish, query } = useForm<ChildUser, HttpError, Record<string, unknown>>({
    resource: 'childUsers',
    action: edited ? 'edit' : 'create',
    id: edited?.userId,
    queryOptions: { gcTime: 0, staleTime: 'static' }, // no live update overwrites what is being typed
    liveMode: 'off',
    redirect: false,
    successNotification: { type: 'success', message: t(edited ? 'modified' : 'added') },
    errorNotification: (error): OpenNotificationParams | false => {
      if (!(error instanceof ApiError && error.code === 'SUB_ACCOUNTS_NOT_INCLUDED'))
        return notificationInto(form, { USERNAME_TAKEN: 'account' })(error);
      setRefused(true);
      refreshUser().catch(() => undefined);
      const isOpen = form.getFieldInstance('nickname') !== undefined;
      return !isOpen && refusalNotification(error); // an open drawer says so itself
    },
    disableServerSideValidation: true,
    onMutationSuccess: () => {
      if (!edited) onAdded();
      frame.onClose();
    },
  });
  const child = edited && query?.data?.data;
  const busy = mutation.isPending;
  const upsell = !edited && (!createChildUser || refused);
  const ready = !edited || child !== undefined;
  const save = useSingleSubmit((fields: ChildFormFields) => onFinish(variablesOf(fields, child)));

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
        <Form
          form={form}
          name="child"
          className="sa-form"
          layout="vertical"
          requiredMark={false}
          initialValues={initialOf(child)}
          onFinish={(fields) => save(fields as ChildFormFields)}
        >
          <ChildFields account={child?.account} caps={child?.caps ?? null} />
          {/* Enter in a field saves; the visible button is in the drawer's footer. */}
          <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true" />
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

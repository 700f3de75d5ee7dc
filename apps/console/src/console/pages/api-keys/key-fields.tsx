import { API_KEY_SCOPES, type ApiKeyScope } from '@yiqiao/contracts/api-key-scopes';
import { API_KEY_KINDS, type ApiKeyKind } from '@yiqiao/contracts/api-keys';
import { API_KEY_ADDRESSES_MAX, API_KEY_RATE_MAX, CHANGE_MAX } from '@yiqiao/domain/limits';
import { Checkbox, Form, Input, InputNumber, Radio, Select } from 'antd';
import { grouped } from '../../../shared/amounts.js';
import { antdRule, FormField } from '../../../shared/antd/form-field.js';
import { byContract, sentenceOf } from '../../../shared/form/contract-rules.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { nameOf, useChannels } from '../../shared/channels/channels.js';
import { hideSteps } from '../../shared/form/number-steps.js';
import { wholeNumber } from '../../shared/form/whole-number.js';
import { wireNow } from '../../shared/wire-time.js';
import { type ApiKey, EXPIRY_DAYS } from './key.js';
import { areTooMany, type KeyFields, settings, wrongAddressIn } from './key-form.js';

const KINDS = Object.keys(API_KEY_KINDS) as ApiKeyKind[];
const SCOPES = Object.keys(API_KEY_SCOPES) as ApiKeyScope[];
const WHY = { secret: 'secretWhy', url: 'urlWhy' } as const;

/** Secret or token, with what that means; an existing key keeps its own. */
function KindField({ isNew }: { isNew: boolean }) {
  const t = useMessages('api-keys');
  const kind = Form.useWatch<ApiKeyKind | undefined>('kind') ?? 'secret';
  return (
    <Form.Item
      name="kind"
      label={t('kind')}
      extra={
        <>
          {t(WHY[kind])}
          {isNew && (
            <>
              <br />
              {t('kindFixed')}
            </>
          )}
        </>
      }
    >
      <Radio.Group
        disabled={!isNew}
        options={KINDS.map((each) => ({ value: each, label: API_KEY_KINDS[each][language] }))}
      />
    </Form.Item>
  );
}

/** `glossary.write` only for keys of main accounts. */
function ScopesField({ canWrite }: { canWrite: boolean }) {
  const t = useMessages('api-keys');
  const kind = Form.useWatch<ApiKeyKind | undefined>('kind');
  if (kind === 'url')
    return (
      <Form.Item label={t('scopes')}>
        <span className="muted">{t('scopesUrl')}</span>
      </Form.Item>
    );
  return (
    <Form.Item
      name="scopes"
      label={t('scopes')}
      rules={[
        {
          validator: (_, scopes: readonly ApiKeyScope[]) =>
            scopes.length > 0 ? Promise.resolve() : Promise.reject(new Error(sentenceOf('REQUIRED'))),
        },
      ]}
    >
      <Checkbox.Group
        className="ak-scopes"
        options={SCOPES.filter((scope) => canWrite || scope !== 'glossary.write').map((scope) => ({
          value: scope,
          label: API_KEY_SCOPES[scope][language],
        }))}
      />
    </Form.Item>
  );
}

function ChannelField() {
  const t = useMessages('api-keys');
  const { data, isFetching } = useChannels();
  const chosen = Form.useWatch<number | undefined>('channel');
  const known = (data ?? []).filter(({ text }) => text);
  return (
    <Form.Item name="channel" label={t('channelField')} extra={t('channelHint')}>
      <Select<number>
        loading={isFetching}
        options={[
          { value: 0, label: t('channelOwn') },
          ...known.map((channel) => ({
            value: channel.id,
            label: channel.available ? nameOf(channel) : t('channelOff', { name: nameOf(channel) }),
            disabled: !channel.available && channel.id !== chosen,
          })),
        ]}
      />
    </Form.Item>
  );
}

type AmountProps = { name: keyof KeyFields; label: string; extra?: string | undefined; none: string; max: number };

/** A whole number; empty means none. */
function Amount({ name, label, extra, none, max }: AmountProps) {
  return (
    <Form.Item name={name} label={label} extra={extra}>
      <InputNumber {...wholeNumber} ref={hideSteps} max={max} placeholder={none} />
    </Form.Item>
  );
}

function CapsField({ edited }: { edited: ApiKey | undefined }) {
  const t = useMessages('api-keys');
  const shared = { none: t('unlimited'), max: CHANGE_MAX };
  return (
    <fieldset className="ak-caps">
      <legend>{t('caps')}</legend>
      <p className="faint">{t('capsHint')}</p>
      <div className="ak-pair">
        <Amount
          {...shared}
          name="dayCap"
          label={t('capDay')}
          extra={edited && t('capUsedToday', { n: grouped(edited.usedToday) })}
        />
        <Amount
          {...shared}
          name="monthCap"
          label={t('capMonth')}
          extra={edited && t('capUsedMonth', { n: grouped(edited.usedThisMonth) })}
        />
      </div>
    </fieldset>
  );
}

function AddressesField() {
  const t = useMessages('api-keys');
  return (
    <FormField
      name="allowedIps"
      label={t('ips')}
      extra={t('ipsHint')}
      rules={[
        {
          validator: (_, addresses: readonly string[]) => {
            const wrong = wrongAddressIn(addresses);
            if (wrong !== null) return Promise.reject(new Error(t('ipWrong', { ip: wrong })));
            return areTooMany(addresses)
              ? Promise.reject(new Error(t('ipsTooMany', { n: API_KEY_ADDRESSES_MAX })))
              : Promise.resolve();
          },
        },
      ]}
    >
      <Select
        mode="tags"
        open={false}
        suffixIcon={null}
        tokenSeparators={[' ', ',', '，', '、', ';', '；', '\n', '\t']}
        placeholder={t('ipsExample')}
      />
    </FormField>
  );
}

/** Never, so many days from now, or a day of one's own. */
function ExpiryField() {
  const t = useMessages('api-keys');
  const expiry = Form.useWatch<KeyFields['expiry'] | undefined>('expiry');
  const today = wireNow().slice(0, 10);
  return (
    <>
      <Form.Item name="expiry" label={t('expiry')}>
        <Radio.Group
          options={[
            { value: 'never', label: t('never') },
            ...EXPIRY_DAYS.map((days) => ({ value: days, label: t(`days${days}`) })),
            { value: 'day', label: t('untilDay') },
          ]}
        />
      </Form.Item>
      {expiry === 'day' && (
        <Form.Item
          name="expireDateTime"
          label={t('lastDayField')}
          extra={t('lastDayHint')}
          rules={[
            { required: true, message: t('lastDayRequired') },
            {
              validator: (_, day: string) =>
                day === '' || day >= today ? Promise.resolve() : Promise.reject(new Error(t('lastDayPast'))),
            },
          ]}
        >
          <Input type="date" min={today} className="ak-day" />
        </Form.Item>
      )}
    </>
  );
}

type KeyFormFieldsProps = {
  /** The key as the server has it; absent for a new one. */
  edited: ApiKey | undefined;
  canWrite: boolean;
};

/** The fields of a key. */
export function KeyFormFields({ edited, canWrite }: KeyFormFieldsProps) {
  const t = useMessages('api-keys');
  return (
    <>
      <FormField name="name" label={t('name')} extra={t('nameHint')} rules={[antdRule(byContract(settings.name))]}>
        <Input autoComplete="off" spellCheck={false} maxLength={128} />
      </FormField>
      <KindField isNew={!edited} />
      <ScopesField canWrite={canWrite} />
      <ChannelField />
      <CapsField edited={edited} />
      <Amount
        name="requestsPerSecond"
        label={t('rate')}
        extra={t('rateHint', { max: grouped(API_KEY_RATE_MAX) })}
        none={t('rateOwn')}
        max={API_KEY_RATE_MAX}
      />
      <AddressesField />
      <ExpiryField />
    </>
  );
}

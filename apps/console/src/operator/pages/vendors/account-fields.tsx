import type { Request } from '@yiqiao/contracts/endpoint';
import type { changeVendorAccount } from '@yiqiao/contracts/operator/vendors';
import { Form, Input, InputNumber } from 'antd';
import { useMessages } from '../../../shared/i18n/messages.js';
import { GROUPED } from '../../shared/grouped-input.js';
import type { Account, Channel } from './health-table.js';

const MICRO = 1_000_000;

/** Costs as people read them: yuan, per million characters, per minute and per picture. */
export type Terms = {
  weight: number;
  requestsPerSecond: number | null;
  charsPerMinute: number | null;
  charsPerDay: number | null;
  charCost: number;
  voiceCost: number;
  imageCost: number;
};

export const NEW_TERMS: Terms = {
  weight: 1,
  requestsPerSecond: null,
  charsPerMinute: null,
  charsPerDay: null,
  charCost: 0,
  voiceCost: 0,
  imageCost: 0,
};

/** A micro-yuan a character is a yuan per million. */
export const termsOf = ({ voiceCost, imageCost, ...account }: Account): Terms => ({
  weight: account.weight,
  requestsPerSecond: account.requestsPerSecond,
  charsPerMinute: account.charsPerMinute,
  charsPerDay: account.charsPerDay,
  charCost: account.charCost,
  voiceCost: voiceCost / MICRO,
  imageCost: imageCost / MICRO,
});

export const sentTerms = ({
  voiceCost,
  imageCost,
  ...terms
}: Terms): Omit<Request<typeof changeVendorAccount>, 'id' | 'reason'> => ({
  ...terms,
  voiceCost: Math.round(voiceCost * MICRO),
  imageCost: Math.round(imageCost * MICRO),
});

/** The caps of an account, exact over all processes; empty: none. */
export function CapFields({ disabled = false }: { disabled?: boolean }) {
  const t = useMessages('vendors');
  return (
    <fieldset className="vendors-fields">
      <legend>{t('caps')}</legend>
      {(['requestsPerSecond', 'charsPerMinute', 'charsPerDay'] as const).map((name) => (
        <Form.Item key={name} name={name} label={t(name)}>
          <InputNumber
            className="whole-width"
            disabled={disabled}
            min={name === 'requestsPerSecond' ? 0.1 : 1}
            max={name === 'requestsPerSecond' ? 10_000 : 1_000_000_000}
            precision={name === 'requestsPerSecond' ? 1 : 0}
            placeholder={t('unlimited')}
            {...(name === 'requestsPerSecond' ? {} : GROUPED)}
            controls={false}
          />
        </Form.Item>
      ))}
      <p className="faint vendors-hint">{t('capsHint')}</p>
    </fieldset>
  );
}

export function CostFields() {
  const t = useMessages('vendors');
  return (
    <fieldset className="vendors-fields">
      <legend>{t('costs')}</legend>
      {(['charCost', 'voiceCost', 'imageCost'] as const).map((name) => (
        <Form.Item key={name} name={name} label={t(name)}>
          <InputNumber
            className="whole-width"
            min={0}
            max={1_000}
            step={name === 'charCost' ? 1 : 0.01}
            prefix="¥"
            controls={false}
          />
        </Form.Item>
      ))}
    </fieldset>
  );
}

/** What the accounts of a vendor have besides a key. */
const MORE: Readonly<Partial<Record<Channel['code'], readonly ('secret' | 'region' | 'model')[]>>> = {
  microsoft: ['region'],
  tencent: ['secret', 'region'],
  youdao: ['secret'],
  chatgpt: ['model'],
};

export type Address = {
  baseUrl?: string;
  key?: string;
  secret?: string;
  region?: string;
  model?: string;
  code: string;
};

/** Without empty fields, which mean the vendor's own. */
export const sentAddress = (address: Address): Address =>
  Object.fromEntries(Object.entries(address).filter(([, value]) => value !== undefined && value !== '')) as Address;

/** Where an account is, with its keys, and the one-time code that they take. */
export function AddressFields({ code, hint }: { code: Channel['code']; hint: string }) {
  const t = useMessages('vendors');
  return (
    <>
      <Form.Item name="baseUrl" label={t('baseUrl')} extra={hint}>
        <Input autoComplete="off" />
      </Form.Item>
      <Form.Item name="key" label={t('key')}>
        <Input.Password autoComplete="off" visibilityToggle={false} />
      </Form.Item>
      {(MORE[code] ?? []).map((name) => (
        <Form.Item key={name} name={name} label={t(name)}>
          {name === 'secret' ? (
            <Input.Password autoComplete="off" visibilityToggle={false} />
          ) : (
            <Input autoComplete="off" />
          )}
        </Form.Item>
      ))}
    </>
  );
}

export function CodeItem() {
  const t = useMessages('vendors');
  return (
    <Form.Item
      name="code"
      label={t('code')}
      extra={t('codeHint')}
      rules={[{ required: true, message: t('codeMissing') }]}
    >
      <Input className="vendors-code" autoComplete="one-time-code" inputMode="numeric" />
    </Form.Item>
  );
}

export function ReasonItem() {
  const t = useMessages('vendors');
  return (
    <Form.Item
      name="reason"
      label={t('reason')}
      extra={t('reasonHint')}
      rules={[{ required: true, whitespace: true, message: t('reasonMissing') }]}
    >
      <Input maxLength={500} autoComplete="off" />
    </Form.Item>
  );
}

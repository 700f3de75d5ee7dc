import { Form, Input, Switch } from 'antd';
import { useMessages } from '../../../shared/i18n/messages.js';
import type { UsdtPayInfo } from './kinds.js';
import type { FormProps } from './site-info-form.js';

/** USDT_PAY_INFO: the external page for payments in USDT. */
export function UsdtForm({ value, disabled, onChange }: FormProps<UsdtPayInfo>) {
  const t = useMessages('content');
  return (
    <Form layout="vertical" component="div" className="document-form">
      <Form.Item label={t('key_enabled')} htmlFor="usdt-enabled">
        <Switch
          id="usdt-enabled"
          disabled={disabled}
          checked={value.enabled}
          onChange={(enabled) => onChange({ ...value, enabled })}
        />
      </Form.Item>
      <Form.Item className="document-form-wide" label={t('key_url')} htmlFor="usdt-url">
        <Input
          id="usdt-url"
          disabled={disabled}
          value={value.url}
          placeholder={t('linkBegins')}
          onChange={({ target }) => onChange({ ...value, url: target.value })}
        />
      </Form.Item>
    </Form>
  );
}

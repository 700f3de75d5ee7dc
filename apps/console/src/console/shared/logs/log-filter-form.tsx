import { CLIENT_TYPES } from '@yiqiao/domain/members';
import { Button, Form, Input, Select } from 'antd';
import { useEffect, type ReactNode } from 'react';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { clearable } from '../../../shared/antd/clearable.js';
import { defaultQuery, type LogQuery, type Range } from './log-query.js';
import { RangeField } from './range-field.js';

type Fields = { range?: Range } & Record<string, Range | string | undefined>;

const fieldsOf = ({ range, values }: LogQuery): Fields => ({ ...values, range });

const queryFrom = ({ range = null, ...rest }: Fields): LogQuery => {
  const values = Object.entries(rest).filter((e): e is [string, string] => typeof e[1] === 'string' && e[1] !== '');
  return { range, values: Object.fromEntries(values) };
};

type LogFilterFormProps = {
  query: LogQuery;
  onQuery: (query: LogQuery) => void;
  /** Whether the log has lines of API keys, too. */
  withApi: boolean;
  /** Form.Items for filters specific to this log, named like their parameters. */
  children?: ReactNode;
};

/** IP, client type and time range, as in every log; submitted by the button or Enter. */
export function LogFilterForm({ query, onQuery, withApi, children }: LogFilterFormProps) {
  const t = useMessages('logs');
  const [form] = Form.useForm<Fields>();
  const shown = JSON.stringify(query);
  // A query changed elsewhere (reset, back button, a link) shows in the form.
  useEffect(() => {
    form.resetFields();
    form.setFieldsValue(fieldsOf(JSON.parse(shown) as LogQuery));
  }, [form, shown]);

  return (
    <Form<Fields>
      form={form}
      className="lg-filters"
      labelCol={{ className: 'lg-label' }}
      layout="vertical"
      requiredMark={false}
      initialValues={fieldsOf(query)}
      onFinish={(fields) => onQuery(queryFrom(fields))}
    >
      {children}
      <Form.Item name="loginIp" label={t('ip')}>
        <Input allowClear={clearable} placeholder={t('ipHint')} maxLength={45} inputMode="text" autoComplete="off" />
      </Form.Item>
      <Form.Item name="clientType" label={t('clientType')}>
        <Select
          allowClear
          placeholder={t('anyClient')}
          options={Object.entries(CLIENT_TYPES)
            .filter(([value]) => withApi || value !== 'api')
            .map(([value, names]) => ({ value, label: names[language] }))}
        />
      </Form.Item>
      <Form.Item name="range" label={t('range')} className="lg-range">
        <RangeField />
      </Form.Item>
      <div className="lg-ask">
        <Button type="text" onClick={() => onQuery(defaultQuery())}>
          {t('reset')}
        </Button>
        <Button type="primary" htmlType="submit">
          {t('query')}
        </Button>
      </div>
    </Form>
  );
}

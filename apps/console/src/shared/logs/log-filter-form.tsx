import { CLIENT_TYPES } from '@yiqiao/domain/members';
import { Button, DatePicker, Form, Input, Select, type FormInstance } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useEffect, type ReactNode } from 'react';
import { language } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { lastDays } from '../wire-time.js';
import { defaultQuery, type LogQuery } from './log-query.js';

const WIRE = 'YYYY-MM-DD HH:mm:ss';
const PRESETS = [
  ['today', 0],
  ['last3', 3],
  ['last7', 7],
  ['last10', 10],
  ['last30', 30],
] as const;

type Fields = { range?: [Dayjs, Dayjs] | undefined } & Record<string, unknown>;

// The picker shows and answers the server's clock as it is written; the zone of the browser plays no part.
const pickerRange = ({ begin, end }: NonNullable<LogQuery['range']>): [Dayjs, Dayjs] => [dayjs(begin), dayjs(end)];

const fieldsOf = ({ range, values }: LogQuery): Fields => ({
  ...values,
  range: range === null ? undefined : pickerRange(range),
});

const queryFrom = ({ range, ...rest }: Fields): LogQuery => {
  const [begin, end] = range ?? [];
  const values = Object.entries(rest).filter((e): e is [string, string] => typeof e[1] === 'string' && e[1] !== '');
  return {
    range: begin && end ? { begin: begin.format(WIRE), end: end.format(WIRE) } : null,
    values: Object.fromEntries(values),
  };
};

type LogFilterFormProps = {
  form: FormInstance;
  query: LogQuery;
  onAsk: (query: LogQuery) => void;
  /** Filters of this log alone, as Form.Items named like their parameter. */
  children?: ReactNode;
};

/** IP, client type and time range as every log has them; asking is explicit (a button, or Enter). */
export function LogFilterForm({ form, query, onAsk, children }: LogFilterFormProps) {
  const t = useTexts('logs');
  const asked = JSON.stringify(query);
  // Whatever changes the question (reset, the back button, a link) shows in the form.
  useEffect(() => {
    form.resetFields();
    form.setFieldsValue(fieldsOf(JSON.parse(asked) as LogQuery));
  }, [form, asked]);

  return (
    <Form<Fields>
      form={form}
      className="lg-filters"
      layout="vertical"
      requiredMark={false}
      initialValues={fieldsOf(query)}
      onFinish={(fields) => onAsk(queryFrom(fields))}
    >
      {children}
      <Form.Item name="loginIp" label={t('ip')}>
        <Input allowClear placeholder={t('ipHint')} maxLength={45} inputMode="text" autoComplete="off" />
      </Form.Item>
      <Form.Item name="clientType" label={t('clientType')}>
        <Select
          allowClear
          placeholder={t('anyClient')}
          options={Object.entries(CLIENT_TYPES).map(([value, names]) => ({ value, label: names[language] }))}
        />
      </Form.Item>
      <Form.Item name="range" label={t('range')} className="lg-range">
        <DatePicker.RangePicker
          showTime={{ defaultValue: [dayjs('2000-01-01 00:00:00'), dayjs('2000-01-01 23:59:59')] }}
          format={WIRE}
          placeholder={[t('rangeBegin'), t('rangeEnd')]}
          presets={PRESETS.map(([label, days]) => ({
            label: t(label),
            value: () => pickerRange(lastDays(days)) ?? [null, null],
          }))}
          classNames={{ popup: { root: 'lg-range-popup' } }}
        />
      </Form.Item>
      <div className="lg-ask">
        <Button type="text" onClick={() => onAsk(defaultQuery())}>
          {t('reset')}
        </Button>
        <Button type="primary" htmlType="submit">
          {t('query')}
        </Button>
      </div>
    </Form>
  );
}

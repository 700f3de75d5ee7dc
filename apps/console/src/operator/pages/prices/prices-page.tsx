import { CanAccess } from '@refinedev/core';
import type { Response } from '@yiqiao/contracts/endpoint';
import { listPrices } from '@yiqiao/contracts/operator/prices';
import { makeRequest } from '@yiqiao/contracts/operator/requests';
import { REQUEST_REASON_MAX, REQUEST_REASON_MIN } from '@yiqiao/domain/operators';
import { Button, Form, Input, InputNumber, Modal } from 'antd';
import { type ReactNode, useState } from 'react';
import { grouped, yuan } from '../../../shared/amounts.js';
import { refusalInto } from '../../../shared/antd/refusal-into.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint, useEndpointMutation, useInvalidateEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Card } from '../../../shared/ui/card.js';
import { PageHeader } from '../../../shared/ui/page-header.js';
import { Loaded } from '../../shared/states.js';
import { usePollInterval } from '../../shared/use-poll-interval.js';

type Prices = Response<typeof listPrices>;
type Field = 'price' | 'salePrice' | 'num';
/** What a change is asked for, with the values of today. */
type Subject = { target: string; name: string; fields: Partial<Record<Field, number>> };

const EVERY_MS = 30_000;

/** The price list, and the way to another price: a request that somebody else decides. */
export default function PricesPage() {
  const t = useMessages('prices');
  const [subject, setSubject] = useState<Subject | null>(null);
  const query = useEndpoint(listPrices, {}, { refetchInterval: usePollInterval(EVERY_MS) });
  return (
    <>
      <PageHeader title={t('title')} note={t('note')} />
      <Loaded query={query} rows={10}>
        {(prices) => (
          <div className="grid">
            <div className="span-12">
              <Plans prices={prices} onAsk={setSubject} />
            </div>
            <div className="span-12">
              <Channels prices={prices} onAsk={setSubject} />
            </div>
          </div>
        )}
      </Loaded>
      {subject && <Ask subject={subject} onClose={() => setSubject(null)} />}
    </>
  );
}

type TableProps = { prices: Prices; onAsk: (subject: Subject) => void };
type Column = { label: string; end?: boolean; hidden?: boolean };

function Table({
  title,
  note,
  columns,
  children,
}: {
  title: string;
  note?: string;
  columns: Column[];
  children: ReactNode;
}) {
  return (
    <Card title={title} note={note}>
      <div className="table-scroll rows-scroll" role="region" aria-label={title} tabIndex={0}>
        <table className="rows-table numeric">
          <thead>
            <tr>
              {columns.map(({ label, end, hidden }) => (
                <th key={label} scope="col" className={end ? 'end' : undefined}>
                  {hidden ? <span className="visually-hidden">{label}</span> : label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
    </Card>
  );
}

function Plans({ prices, onAsk }: TableProps) {
  const t = useMessages('prices');
  const nameOf = new Map(prices.channels.map(({ id, name }) => [id, name]));
  const columns = [
    { label: t('columnId') },
    { label: t('columnPlan') },
    { label: t('columnMode') },
    { label: t('columnNum'), end: true },
    { label: t('columnMedia'), end: true },
    { label: t('columnPrice'), end: true },
    { label: t('columnReference') },
    { label: t('columnSold'), end: true },
    { label: t('columnOnSale') },
    { label: t('columnActions'), end: true, hidden: true },
  ];
  return (
    <Table title={t('plans')} columns={columns}>
      {prices.plans.map(({ id, name, billingMode, num, salePrice, ...plan }) => (
        <tr key={id}>
          <td className="faint">{id}</td>
          <th scope="row">
            <b className="dynamic-text">{name}</b>
          </th>
          <td className="muted">{t(`mode_${billingMode}`)}</td>
          <td className="end">{billingMode === 'time' ? t('minutes', { n: grouped(num) }) : grouped(num)}</td>
          <td className="end muted">
            {grouped(plan.voiceNum)} / {grouped(plan.imageNum)}
          </td>
          <td className="end">¥{yuan(salePrice)}</td>
          <td className="muted dynamic-text">{nameOf.get(plan.referenceChannelId)}</td>
          <td className="end">{t('sold', { n: plan.sold })}</td>
          <td>
            <span className={plan.onSale ? 'state ok' : 'state'}>{t(plan.onSale ? 'onSale' : 'offSale')}</span>
          </td>
          <td className="end">
            <ChangeLink
              request={plan.request}
              subject={{ target: `plan:${id}`, name, fields: { salePrice, num } }}
              onAsk={onAsk}
            />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Channels({ prices, onAsk }: TableProps) {
  const t = useMessages('prices');
  const columns = [
    { label: t('columnChannel') },
    { label: t('columnRate'), end: true },
    { label: t('columnSince') },
    { label: t('columnActions'), end: true, hidden: true },
  ];
  return (
    <Table title={t('channels')} note={t('channelsNote')} columns={columns}>
      {prices.channels.map(({ id, code, name, price, since, request }) => (
        <tr key={id}>
          <th scope="row">
            <b className="dynamic-text">{name}</b>
          </th>
          <td className="end">{t('micro', { n: grouped(price) })}</td>
          <td className="muted">{since.startsWith('1970') ? t('first') : since}</td>
          <td className="end">
            <ChangeLink
              request={request}
              subject={{ target: `channel:${code}`, name, fields: { price } }}
              onAsk={onAsk}
            />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function ChangeLink({
  request,
  subject,
  onAsk,
}: {
  request: number | null;
  subject: Subject;
  onAsk: TableProps['onAsk'];
}) {
  const t = useMessages('prices');
  if (request !== null) return <span className="badge hand">{t('waits')}</span>;
  return (
    <CanAccess resource="prices" action="price.change">
      <button
        type="button"
        className="link link-button"
        aria-label={`${t('change')} ${subject.name}`}
        onClick={() => onAsk(subject)}
      >
        {t('change')}
      </button>
    </CanAccess>
  );
}

type Fields = Partial<Record<Field, number>> & { reason: string };

/** Yuan in the form, fen on the wire. */
const shown = (name: Field, value: number): number => (name === 'salePrice' ? value / 100 : value);
const sent = (name: Field, value: number): number => (name === 'salePrice' ? Math.round(value * 100) : value);

function Ask({ subject: { target, name, fields }, onClose }: { subject: Subject; onClose: () => void }) {
  const t = useMessages('prices');
  const invalidate = useInvalidateEndpoint();
  const [form] = Form.useForm<Fields>();
  const names = Object.keys(fields) as Field[];
  const { mutate, isPending } = useEndpointMutation(makeRequest, {
    successMessage: () => t('asked'),
    onSuccess: async () => {
      await invalidate(listPrices);
      onClose();
    },
    onError: refusalInto(form),
  });
  const submit = ({ reason, ...values }: Fields): void => {
    const payload = Object.fromEntries(
      names.flatMap((field) => {
        const value = sent(field, values[field] ?? 0);
        return value === fields[field] ? [] : [[field, value]];
      }),
    );
    mutate({ kind: 'price.change', target, payload, reason });
  };
  return (
    <Modal
      open
      title={t('ask', { name })}
      onCancel={onClose}
      footer={[
        <Button key="cancel" onClick={onClose}>
          {t('cancel')}
        </Button>,
        <Button key="submit" type="primary" loading={isPending} onClick={() => form.submit()}>
          {t('submit')}
        </Button>,
      ]}
    >
      <Form
        form={form}
        name="price-change"
        layout="vertical"
        requiredMark={false}
        initialValues={Object.fromEntries(names.map((field) => [field, shown(field, fields[field] ?? 0)]))}
        onFinish={submit}
      >
        {names.map((field) => (
          <Form.Item key={field} name={field} label={t(field)}>
            <InputNumber
              className="whole-width"
              min={field === 'salePrice' ? 0.01 : 1}
              precision={field === 'salePrice' ? 2 : 0}
              controls={false}
            />
          </Form.Item>
        ))}
        <Form.Item
          name="reason"
          label={t('reason')}
          extra={t('reasonHint')}
          rules={[{ required: true, whitespace: true, min: REQUEST_REASON_MIN, message: t('reasonShort') }]}
        >
          <Input.TextArea rows={3} maxLength={REQUEST_REASON_MAX} />
        </Form.Item>
      </Form>
    </Modal>
  );
}

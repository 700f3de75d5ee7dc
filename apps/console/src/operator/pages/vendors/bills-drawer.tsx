import { useCan } from '@refinedev/core';
import type { Response } from '@yiqiao/contracts/endpoint';
import { createVendorBill, getMargin, listVendorBills, voidVendorBill } from '@yiqiao/contracts/operator/margin';
import { Button, DatePicker, Drawer, Form, Input, InputNumber, Modal, Select } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useState } from 'react';
import { yuan } from '../../../shared/amounts.js';
import { refusalInto } from '../../../shared/antd/refusal-into.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint, useEndpointMutation, useInvalidateEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Empty } from '../../../shared/ui/empty.js';
import { Loaded } from '../../shared/states.js';
import { ReasonItem } from './account-fields.js';
import type { Channel } from './health-table.js';
import { fenOfYuan, moneyOf } from './margin-words.js';

type Bill = Response<typeof listVendorBills>['rows'][number];
type Fields = { accountId: number; month: Dayjs; number: string; amount: number; reason: string };

const SHOWN = 50;

/** What vendors asked for, month by month, beside what the log adds up to; a bill corrects the cost of its month. */
export function BillsDrawer({ channels, onClose }: { channels: readonly Channel[]; onClose: () => void }) {
  const t = useMessages('vendors');
  const query = useEndpoint(listVendorBills, { pageSize: String(SHOWN) });
  const { data: may } = useCan({ resource: 'vendor-bills', action: 'vendorAccount.change' });
  const [voided, setVoided] = useState<Bill | null>(null);
  return (
    <Drawer
      open
      onClose={onClose}
      width="min(760px, 100vw)"
      title={
        <div className="vendors-title">
          {t('bills')}
          <small>{t('billsNote')}</small>
        </div>
      }
    >
      {may?.can ? <EnterBill channels={channels} /> : <p className="faint">{may?.reason}</p>}
      <section>
        <h3>{t('entered')}</h3>
        <Loaded query={query}>
          {({ rows }) =>
            rows.length === 0 ? (
              <Empty title={t('noBills')}>{t('noBillsWhy')}</Empty>
            ) : (
              <div className="table-scroll rows-scroll bills" role="region" aria-label={t('bills')} tabIndex={0}>
                <table className="rows-table numeric">
                  <thead>
                    <tr>
                      <th scope="col">{t('month')}</th>
                      <th scope="col">{t('columnName')}</th>
                      <th scope="col">{t('billNumber')}</th>
                      <th scope="col" className="end">
                        {t('billed')}
                      </th>
                      <th scope="col" className="end">
                        {t('recorded')}
                      </th>
                      <th scope="col" className="end">
                        {t('difference')}
                      </th>
                      <th scope="col" className="end">
                        <span className="visually-hidden">{t('columnActions')}</span>
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {rows.map((bill) => (
                      <tr key={bill.id} className={bill.voidedAt ? 'voided' : undefined}>
                        <th scope="row">{bill.month}</th>
                        <td className="dynamic-text">
                          {bill.channel} / {bill.account}
                        </td>
                        <td title={`${bill.enteredBy} ${bill.enteredAt}`}>{bill.number}</td>
                        <td className="end">¥{yuan(bill.amount)}</td>
                        <td className="end muted">{bill.recorded === null ? '–' : moneyOf(bill.recorded)}</td>
                        <td className="end">
                          {bill.recorded === null ? '–' : moneyOf(bill.amount * 10_000 - bill.recorded, 'signed')}
                        </td>
                        <td className="end">
                          {bill.voidedAt ? (
                            <span className="badge">{t('voided')}</span>
                          ) : (
                            may?.can && (
                              <button
                                type="button"
                                className="link link-button"
                                aria-label={`${t('voidBill')} ${bill.number}`}
                                onClick={() => setVoided(bill)}
                              >
                                {t('voidBill')}
                              </button>
                            )
                          )}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )
          }
        </Loaded>
      </section>
      {voided && <VoidDialog bill={voided} onClose={() => setVoided(null)} />}
    </Drawer>
  );
}

function useReload(): () => Promise<void> {
  const invalidate = useInvalidateEndpoint();
  return async () => {
    await Promise.all([invalidate(listVendorBills), invalidate(getMargin)]);
  };
}

function EnterBill({ channels }: { channels: readonly Channel[] }) {
  const t = useMessages('vendors');
  const [form] = Form.useForm<Fields>();
  const reload = useReload();
  const { mutate, isPending } = useEndpointMutation(createVendorBill, {
    successMessage: () => t('billDone'),
    onSuccess: async () => {
      form.resetFields(['number', 'amount', 'reason']);
      await reload();
    },
    onError: refusalInto(form, { VENDOR_BILL_EXISTS: 'number' }),
  });
  const accounts = channels.flatMap(({ name, accounts: own }) =>
    own.map((account) => ({ value: account.id, label: `${name} / ${account.name}` })),
  );
  return (
    <Form
      form={form}
      name="vendor-bill"
      layout="vertical"
      requiredMark={false}
      className="bill-form"
      initialValues={{ month: dayjs().subtract(1, 'month') }}
      onFinish={({ month, amount, ...rest }) =>
        mutate({ ...rest, month: month.format('YYYY-MM'), amount: fenOfYuan(amount) })
      }
    >
      <Form.Item
        name="accountId"
        label={t('billAccount')}
        // Not `required`, which would mark the box of the list as an input.
        rules={[{ validator: (_, id?: number) => (id ? Promise.resolve() : Promise.reject(new Error(t('missing')))) }]}
      >
        <Select showSearch optionFilterProp="label" options={accounts} />
      </Form.Item>
      <Form.Item name="month" label={t('month')} rules={[{ required: true, message: t('missing') }]}>
        <DatePicker
          picker="month"
          className="whole-width"
          allowClear={false}
          disabledDate={(day) => !day.isBefore(dayjs().startOf('month'))}
        />
      </Form.Item>
      <Form.Item
        name="number"
        label={t('billNumber')}
        rules={[{ required: true, whitespace: true, message: t('missing') }]}
      >
        <Input maxLength={100} autoComplete="off" />
      </Form.Item>
      <Form.Item name="amount" label={t('billAmount')} rules={[{ required: true, message: t('missing') }]}>
        <InputNumber className="whole-width" min={0} precision={2} prefix="¥" controls={false} />
      </Form.Item>
      <ReasonItem />
      <Button type="primary" htmlType="submit" loading={isPending}>
        {t('enterBill')}
      </Button>
    </Form>
  );
}

function VoidDialog({ bill, onClose }: { bill: Bill; onClose: () => void }) {
  const t = useMessages('vendors');
  const [form] = Form.useForm<{ reason: string }>();
  const reload = useReload();
  const { mutate, isPending } = useEndpointMutation(voidVendorBill, {
    successMessage: () => t('voidDone'),
    onSuccess: async () => {
      await reload();
      onClose();
    },
    onError: refusalInto(form),
  });
  return (
    <Modal
      open
      title={t('voidTitle', { number: bill.number })}
      onCancel={onClose}
      footer={[
        <Button key="cancel" onClick={onClose}>
          {t('cancel')}
        </Button>,
        <Button key="void" danger loading={isPending} onClick={() => form.submit()}>
          {t('voidBill')}
        </Button>,
      ]}
    >
      <p className="muted vendors-void-note">{t('voidWhy', { month: bill.month, amount: `¥${yuan(bill.amount)}` })}</p>
      <Form
        form={form}
        name="vendor-bill-void"
        layout="vertical"
        requiredMark={false}
        onFinish={({ reason }) => mutate({ id: String(bill.id), reason })}
      >
        <ReasonItem />
      </Form>
    </Modal>
  );
}

import type { Response } from '@yiqiao/contracts/endpoint';
import { email } from '@yiqiao/contracts/fields';
import { invoiceTitle, listInvoices, requestInvoice, taxNumber } from '@yiqiao/contracts/invoices';
import { INVOICE_KINDS, INVOICE_STATES, type InvoiceKind, type InvoiceState } from '@yiqiao/domain/invoices';
import { INVOICE_TITLE_MAX } from '@yiqiao/domain/limits';
import { Button, Form, Input, Radio, Skeleton } from 'antd';
import { useState } from 'react';
import { yuan } from '../../../shared/amounts.js';
import { type ApiError, messageOf } from '../../../shared/api/api-error.js';
import { useMember } from '../../../shared/auth/user.js';
import { byContract } from '../../../shared/form/contract-rules.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { ErrorState } from '../../../shared/ui/error-state.js';
import { Icon, type IconName } from '../../../shared/ui/icon.js';
import { toast } from '../../../shared/ui/toast.js';
import { useEndpoint, useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { antdRule, FormField } from '../../../shared/antd/form-field.js';
import { useLive } from '../../shared/use-live.js';
import type { Order } from './order.js';

type Invoice = Response<typeof requestInvoice>;

const LOOKS: Record<InvoiceState, { badge: string; icon: IconName }> = {
  requested: { badge: 'badge decrease', icon: 'clock' },
  issued: { badge: 'badge increase', icon: 'check' },
  rejected: { badge: 'badge danger', icon: 'alert' },
};

type Fields = { kind: InvoiceKind; title: string; taxNo: string; email: string };

type FormProps = { order: Order; last: Invoice | undefined; onDone: () => void; onClose: () => void };

/** Starts from the last request, which was declined, or from the member's own address. */
function InvoiceForm({ order, last, onDone, onClose }: FormProps) {
  const t = useMessages('orders');
  const { account } = useMember();
  const [form] = Form.useForm<Fields>();
  const kind = Form.useWatch('kind', form) ?? last?.kind ?? 'company';
  const showError = (error: unknown): void => {
    const message = messageOf(error);
    if (message === null) return;
    const { errors } = error as ApiError;
    if (errors.length > 0) form.setFields(errors.map((e) => ({ name: e.path as keyof Fields, errors: [e.msg] })));
    else toast.error(message);
    // Another tab may have been faster.
    if ((error as ApiError).code === 'INVOICE_EXISTS') onDone();
  };
  const { mutate, isPending } = useEndpointMutation(requestInvoice, {
    successMessage: () => t('invoiceRequested'),
    onSuccess: onDone,
    onError: showError,
  });
  const submit = ({ kind, title, taxNo, email }: Fields): void =>
    mutate({ id: order.id, kind, title, email, ...(kind === 'company' ? { taxNo } : {}) });
  return (
    <Form<Fields>
      form={form}
      name="invoice"
      className="od-invoice-form"
      layout="vertical"
      requiredMark={false}
      initialValues={{
        kind: last?.kind ?? 'company',
        title: last?.title ?? '',
        taxNo: last?.taxNo ?? '',
        email: last?.email ?? account,
      }}
      onFinish={submit}
    >
      <Form.Item name="kind" label={t('invoiceKind')}>
        <Radio.Group
          options={Object.entries(INVOICE_KINDS).map(([value, names]) => ({ value, label: names[language] }))}
        />
      </Form.Item>
      <FormField name="title" label={t('invoiceName')} rules={[antdRule(byContract(invoiceTitle))]}>
        <Input autoFocus maxLength={2 * INVOICE_TITLE_MAX} autoComplete="organization" />
      </FormField>
      {kind === 'company' && (
        <FormField name="taxNo" label={t('taxNo')} extra={t('taxNoHint')} rules={[antdRule(byContract(taxNumber))]}>
          <Input className="numeric" maxLength={40} autoComplete="off" autoCapitalize="characters" spellCheck={false} />
        </FormField>
      )}
      <FormField name="email" label={t('invoiceEmail')} rules={[antdRule(byContract(email))]}>
        <Input type="email" inputMode="email" autoComplete="email" />
      </FormField>
      <div className="od-invoice-do">
        <Button type="primary" htmlType="submit" loading={isPending}>
          {t('invoiceSubmit')}
        </Button>
        <Button disabled={isPending} onClick={onClose}>
          {t('invoiceCancel')}
        </Button>
      </div>
    </Form>
  );
}

/** One request, and what became of it. */
function InvoiceState({ invoice }: { invoice: Invoice }) {
  const t = useMessages('orders');
  const { state, email, reason, invoiceNo, title, taxNo, amount } = invoice;
  const { badge, icon } = LOOKS[state];
  const facts: [string, string | null][] = [
    [t('invoiceName'), title],
    [t('taxNo'), taxNo],
    [t('invoiceAmount'), `¥${yuan(amount)}`],
    [t('invoiceEmail'), email],
    [t('invoiceNo'), invoiceNo],
    [t('invoiceReason'), reason],
    [t('invoiceAskedAt'), invoice.requestDateTime],
    [t('invoiceAnsweredAt'), invoice.answerDateTime],
  ];
  return (
    <>
      <p className="od-invoice-state">
        <span className={badge}>
          <Icon name={icon} />
          {INVOICE_STATES[state][language]}
        </span>
        {t(`invoiceIs_${state}`)}
      </p>
      <dl className="od-facts">
        {facts.map(
          ([label, value]) =>
            value !== null && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </>
  );
}

/** The invoice of a paid order: its state, or the way to request one. */
export function InvoiceSection({ order }: { order: Order }) {
  const t = useMessages('orders');
  const { data, isError, error, refetch } = useEndpoint(listInvoices, { id: String(order.id) }, { gcTime: 0 });
  const [asking, setAsking] = useState(false);
  useLive('order', ({ id }) => {
    if (id === order.id) void refetch();
  });
  const [last] = data ?? [];
  const canAsk = !order.refunded && (last === undefined || last.state === 'rejected');
  if (order.refunded && data?.length === 0) return null;
  return (
    <section aria-label={t('invoice')}>
      <h3 className="od-h">{t('invoice')}</h3>
      {!data && isError && (
        <ErrorState title={t('invoiceFailed')} onReload={() => void refetch()}>
          {messageOf(error)}
        </ErrorState>
      )}
      {!data && !isError && <Skeleton active title={false} paragraph={{ rows: 2 }} />}
      {last && !asking && <InvoiceState invoice={last} />}
      {data && canAsk && !asking && (
        <>
          {!last && <p className="od-invoice-why">{t('invoiceWhy')}</p>}
          <Button onClick={() => setAsking(true)}>{t(last ? 'invoiceAgain' : 'invoiceAsk')}</Button>
        </>
      )}
      {data && canAsk && asking && (
        <InvoiceForm
          order={order}
          last={last}
          onDone={() => {
            setAsking(false);
            void refetch();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}

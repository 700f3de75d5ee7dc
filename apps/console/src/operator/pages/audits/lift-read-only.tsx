import { useCan } from '@refinedev/core';
import type { Response } from '@yiqiao/contracts/endpoint';
import type { getLedgerStatus } from '@yiqiao/contracts/operator/audits';
import { listRequests, makeRequest } from '@yiqiao/contracts/operator/requests';
import { REQUEST_REASON_MAX, REQUEST_REASON_MIN } from '@yiqiao/domain/operators';
import { Button, Form, Input } from 'antd';
import { Link, useSearchParams } from 'react-router';
import { refusalInto } from '../../../shared/antd/refusal-into.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint, useEndpointMutation, useInvalidateEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Dialog } from '../../../shared/ui/dialog.js';
import { toast } from '../../../shared/ui/toast.js';

type Family = Response<typeof getLedgerStatus>['readOnly'][number];

/** Asks for the end of a family's read-only state; somebody else decides. */
function LiftDialog({ family: { familyId }, onClose }: { family: Family; onClose: () => void }) {
  const t = useMessages('audits');
  const [form] = Form.useForm<{ reason: string }>();
  const invalidate = useInvalidateEndpoint();
  const { mutate, isPending } = useEndpointMutation(makeRequest, {
    onSuccess: async () => {
      toast.success(t('liftAsked'));
      await invalidate(listRequests);
      onClose();
    },
    onError: refusalInto(form),
  });
  return (
    <Dialog title={t('liftTitle', { id: familyId })} busy={isPending} onClose={onClose}>
      <Form
        form={form}
        layout="vertical"
        className="dialog-body audit-start"
        requiredMark={false}
        onFinish={({ reason }) => mutate({ kind: 'readOnly.lift', target: familyId, payload: {}, reason })}
      >
        <p>{t('liftWhy')}</p>
        <Form.Item
          name="reason"
          label={t('liftReason')}
          extra={t('liftReasonHint')}
          rules={[{ required: true, whitespace: true, min: REQUEST_REASON_MIN, message: t('liftReasonShort') }]}
        >
          <Input.TextArea rows={2} maxLength={REQUEST_REASON_MAX} data-first />
        </Form.Item>
        <div className="dialog-actions">
          <Button onClick={onClose} disabled={isPending}>
            {t('cancel')}
          </Button>
          <Button type="primary" htmlType="submit" loading={isPending}>
            {t('liftGo')}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

const MOST = '100';

/** Each family that is read-only, with the request for its end: to be made, or waiting. */
export function LiftReadOnly({ families }: { families: readonly Family[] }) {
  const t = useMessages('audits');
  const [params, setParams] = useSearchParams();
  // In the address, because the red band leads here from every page.
  const asked = families.find(({ familyId }) => String(familyId) === params.get('lift'));
  const ask = (family: Family | null): void =>
    setParams(
      (old) => {
        const next = new URLSearchParams(old);
        if (family) next.set('lift', String(family.familyId));
        else next.delete('lift');
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  const { data: may } = useCan({ resource: 'requests', action: 'readOnly.lift' });
  const { data } = useEndpoint(listRequests, { state: 'open', kind: 'readOnly.lift', pageSize: MOST });
  return (
    <ul className="audit-lift">
      {families.map((family) => {
        const waiting = data?.rows.find(({ target }) => target === String(family.familyId));
        return (
          <li key={family.familyId}>
            {t('scopeFamily', { id: family.familyId })}
            {waiting ? (
              <Link className="link" to={`/approvals/${waiting.id}`}>
                {t('liftWaits')}
              </Link>
            ) : (
              <Button size="small" disabled={!may?.can} title={may?.reason} onClick={() => ask(family)}>
                {t('lift')}
              </Button>
            )}
          </li>
        );
      })}
      {asked && may?.can && <LiftDialog family={asked} onClose={() => ask(null)} />}
    </ul>
  );
}

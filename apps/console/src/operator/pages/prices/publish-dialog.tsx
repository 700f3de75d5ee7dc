import { listPrices } from '@yiqiao/contracts/operator/prices';
import { makeRequest } from '@yiqiao/contracts/operator/requests';
import { REQUEST_REASON_MAX, REQUEST_REASON_MIN } from '@yiqiao/domain/operators';
import { Button, Form, Input, Modal } from 'antd';
import { refusalInto } from '../../../shared/antd/refusal-into.js';
import { useEndpointMutation, useInvalidateEndpoint } from '../../../shared/refine/use-endpoint.js';
import { toast } from '../../../shared/ui/toast.js';
import { BeforeAfter } from './before-after.js';
import { type Change, type Prices, requestsOf } from './draft.js';
import { usePriceWords } from './price-words.js';
import type { WhatIf } from './use-what-if.js';

type PublishDialogProps = {
  prices: Prices;
  changes: readonly Change[];
  /** The what-if beside the draft, if it says anything. */
  run: WhatIf | null;
  /** Targets whose request was made leave the draft, also when a later one is refused. */
  onAsked: (targets: readonly string[]) => void;
  onClose: () => void;
};

/** Asks for the whole draft: one request for each plan and channel, which somebody else decides. */
export function PublishDialog({ prices, changes, run, onAsked, onClose }: PublishDialogProps) {
  const words = usePriceWords(prices);
  const { t } = words;
  const [form] = Form.useForm<{ reason: string }>();
  const invalidate = useInvalidateEndpoint();
  const { mutateAsync, isPending } = useEndpointMutation(makeRequest, { onError: refusalInto(form) });
  const requests = requestsOf(changes, run);
  const backed = requests.filter(({ payload }) => 'whatIfId' in payload).length;
  const submit = async ({ reason }: { reason: string }): Promise<void> => {
    const asked: string[] = [];
    try {
      for (const { target, payload } of requests) {
        await mutateAsync({ kind: 'price.change', target, payload, reason });
        asked.push(target);
      }
      toast.success(t('asked'));
      onClose();
    } catch {
      // Shown in the dialog, which stays open with what was not asked for.
    } finally {
      onAsked(asked);
      await invalidate(listPrices);
    }
  };
  return (
    <Modal
      open
      title={t('publishTitle')}
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
      <ul className="price-changes">
        {changes.map((change) => (
          <li key={`${change.subject.target} ${change.field}`}>
            <span>{words.what(change)}</span>
            <BeforeAfter change={change} words={words} />
          </li>
        ))}
      </ul>
      <p className="remark">
        {backed === 0
          ? t('noWhatIf')
          : t(backed === requests.length ? 'withWhatIf' : 'withSomeWhatIf', { id: run?.id ?? 0, n: backed })}
      </p>
      <Form
        form={form}
        name="price-publish"
        layout="vertical"
        requiredMark={false}
        onFinish={(given) => void submit(given)}
      >
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

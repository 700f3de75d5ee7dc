import { Button, Form, InputNumber, Modal, Select } from 'antd';
import { useMessages } from '../../../shared/i18n/messages.js';
import { GROUPED } from '../../shared/grouped-input.js';
import type { Field, Prices, Subject, Values } from './draft.js';

type EditDialogProps = {
  subject: Subject;
  /** What the draft makes of it already. */
  values: Values;
  channels: Prices['channels'];
  onDone: (values: Values) => void;
  onClose: () => void;
};

/** Yuan in the form, fen in the draft. */
const shown = (field: Field, value: number): number => (field === 'salePrice' ? value / 100 : value);
const kept = (field: Field, value: number): number => (field === 'salePrice' ? Math.round(value * 100) : value);

const LEAST: Partial<Record<Field, number>> = { salePrice: 0.01, voiceNum: 0, imageNum: 0 };
const MOST = 1_000_000_000;

/** Other values for a plan or a channel. They go into the draft; nothing is asked for yet. */
export function EditDialog({ subject, values, channels, onDone, onClose }: EditDialogProps) {
  const t = useMessages('prices');
  const [form] = Form.useForm<Values>();
  const current = { ...subject.values, ...values };
  // Whether it is on sale is a switch in the list; the trial has no price.
  const fields = (Object.keys(subject.values) as Field[]).filter(
    (field) => field !== 'onSale' && !(field === 'salePrice' && subject.values.salePrice === 0),
  );
  const submit = (given: Values): void => {
    onDone(Object.fromEntries(fields.map((field) => [field, kept(field, given[field] ?? 0)])));
    onClose();
  };
  return (
    <Modal
      open
      title={t('edit', { name: subject.name })}
      onCancel={onClose}
      footer={[
        <Button key="cancel" onClick={onClose}>
          {t('cancel')}
        </Button>,
        <Button key="done" type="primary" onClick={() => form.submit()}>
          {t('keep')}
        </Button>,
      ]}
    >
      <p className="muted price-edit-note">{t('editNote')}</p>
      <Form
        form={form}
        name="price-edit"
        layout="vertical"
        requiredMark={false}
        className="price-edit"
        initialValues={Object.fromEntries(fields.map((field) => [field, shown(field, current[field] ?? 0)]))}
        onFinish={submit}
      >
        {fields.map((field) => (
          <Form.Item
            key={field}
            name={field}
            label={t(field === 'num' && subject.billingMode === 'time' ? 'input_minutes' : `input_${field}`)}
            // A list that cannot be emptied needs no rule, and may not be marked as required.
            rules={field === 'referenceChannelId' ? [] : [{ required: true, message: t('missing') }]}
          >
            {field === 'referenceChannelId' ? (
              <Select options={channels.map(({ id, name }) => ({ value: id, label: name }))} />
            ) : (
              <InputNumber
                className="whole-width"
                min={LEAST[field] ?? 1}
                max={MOST}
                precision={field === 'salePrice' ? 2 : 0}
                {...(field === 'salePrice' ? {} : GROUPED)}
                controls={false}
              />
            )}
          </Form.Item>
        ))}
      </Form>
    </Modal>
  );
}

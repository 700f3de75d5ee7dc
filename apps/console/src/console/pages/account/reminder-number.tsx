import { Form, Input } from 'antd';
import { antdRule, ON_BLUR_AND_SUBMIT } from '../../../shared/form/antd-rule.js';
import { wholeUpTo } from './reminder-fields.js';

type ReminderNumberProps = { name: 'lowCharNum' | 'expiryDays'; label: string; unit: string; most: number };

/** A whole number with its unit; 0 is never. */
export function ReminderNumber({ name, label, unit, most }: ReminderNumberProps) {
  return (
    <Form.Item name={name} label={label} validateTrigger={ON_BLUR_AND_SUBMIT} rules={[antdRule(wholeUpTo(most))]}>
      <Input className="num" inputMode="numeric" autoComplete="off" maxLength={17} suffix={unit} />
    </Form.Item>
  );
}

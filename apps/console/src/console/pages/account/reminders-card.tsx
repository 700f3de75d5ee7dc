import { changeReminders } from '@yiqiao/contracts/reminders';
import { CHANGE_MAX, REMINDER_DAYS_MAX } from '@yiqiao/domain/limits';
import { Button, Form, Input, Switch } from 'antd';
import { useEffect } from 'react';
import { type ApiError, messageOf } from '../../../shared/api/api-error.js';
import { useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { isMain, refreshUser, useMember } from '../../../shared/auth/user.js';
import { antdRule, FormField } from '../../../shared/antd/form-field.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import { remindersOf } from '../../shared/package-warning/warning.js';
import { Card } from '../../../shared/ui/card.js';
import { toast } from '../../../shared/ui/toast.js';
import { numberOf, wholeUpTo } from './reminder-fields.js';

type ReminderNumberProps = { name: 'lowCharNum' | 'expiryDays'; label: string; unit: string; most: number };

/** A whole number with its unit; 0 means never. */
function ReminderNumber({ name, label, unit, most }: ReminderNumberProps) {
  return (
    <FormField name={name} label={label} rules={[antdRule(wholeUpTo(most))]}>
      <Input className="numeric" inputMode="numeric" autoComplete="off" maxLength={17} suffix={unit} />
    </FormField>
  );
}

type Fields = { lowCharNum: string; expiryDays: string; byMail: boolean };

/** When the member is warned, on the pages and, for a main account, by mail (docs/decisions/0022). */
export function RemindersCard() {
  const t = useMessages('account');
  const user = useMember();
  const main = isMain(user);
  const [form] = Form.useForm<Fields>();
  const { lowCharNum, expiryDays, byMail } = remindersOf(user);
  const kept: Fields = { lowCharNum: grouped(lowCharNum), expiryDays: String(expiryDays), byMail: byMail === 1 };
  // The member may load after the page, or change on another device.
  useEffect(() => {
    if (!form.isFieldsTouched()) form.setFieldsValue(kept);
  });

  const showRefusal = (error: unknown): void => {
    const why = messageOf(error);
    if (why === null) return;
    const { errors } = error as ApiError;
    if (errors.length > 0) form.setFields(errors.map((e) => ({ name: e.path as keyof Fields, errors: [e.msg] })));
    else toast.error(why);
  };
  const { mutate, isPending } = useEndpointMutation(changeReminders, {
    successMessage: () => t('remindersSaved'),
    // The change holds even if the member cannot be fetched right now.
    onSuccess: () => refreshUser().catch(() => undefined),
    onError: showRefusal,
  });
  const save = (typed: Fields): void =>
    mutate({
      lowCharNum: numberOf(typed.lowCharNum),
      expiryDays: numberOf(typed.expiryDays),
      byMail: main && typed.byMail ? 1 : 0,
    });

  return (
    <Card className="ac-card" title={t('reminders')} note={t('remindersNote')}>
      <Form<Fields>
        form={form}
        name="reminders"
        className="ac-reminders"
        layout="vertical"
        requiredMark={false}
        initialValues={kept}
        onFinish={save}
      >
        <ReminderNumber name="lowCharNum" label={t('lowCharNum')} unit={t('chars')} most={CHANGE_MAX} />
        <ReminderNumber name="expiryDays" label={t('expiryDays')} unit={t('days')} most={REMINDER_DAYS_MAX} />
        {main ? (
          <Form.Item name="byMail" label={t('byMail')} extra={user.account} valuePropName="checked">
            <Switch />
          </Form.Item>
        ) : (
          <p className="faint">{t('noMail')}</p>
        )}
        <Button type="primary" htmlType="submit" loading={isPending}>
          {t('saveReminders')}
        </Button>
      </Form>
    </Card>
  );
}

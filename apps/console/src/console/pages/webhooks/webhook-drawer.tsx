import { useForm } from '@refinedev/antd';
import type { HttpError, OpenNotificationParams } from '@refinedev/core';
import type { Request, Response } from '@yiqiao/contracts/endpoint';
import { type saveWebhook, webhookFields } from '@yiqiao/contracts/webhooks';
import { WEBHOOK_NAME_MAX, WEBHOOK_URL_MAX } from '@yiqiao/domain/limits';
import {
  takesSignSecret,
  WEBHOOK_EVENTS,
  WEBHOOK_FORMATS,
  type WebhookEvent,
  type WebhookFormat,
} from '@yiqiao/domain/webhooks';
import { Button, Checkbox, Drawer, Form, Input, Select, Switch } from 'antd';
import { antdRule, FormField } from '../../../shared/antd/form-field.js';
import { notificationInto } from '../../../shared/antd/refusal-into.js';
import { byContract } from '../../../shared/form/contract-rules.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useSingleSubmit } from '../../../shared/refine/use-single-submit.js';
import type { DialogFrame } from '../../shared/dialogs/dialog-frame.js';
import { typeName, type Webhook } from './webhook.js';

type Saved = Response<typeof saveWebhook>;
type Fields = {
  name: string;
  format: WebhookFormat;
  url: string;
  events: WebhookEvent[];
  /** Absent with the field, for a webhook. */
  language?: 'zh' | 'en';
  signSecret?: string;
  forgetSecret?: boolean;
  enabled: boolean;
};

const FORMATS = Object.keys(WEBHOOK_FORMATS) as WebhookFormat[];
const EVENTS = Object.keys(WEBHOOK_EVENTS) as WebhookEvent[];

const initialOf = (edited: Webhook | undefined): Partial<Fields> => ({
  name: edited?.name ?? '',
  format: edited?.format ?? 'standard',
  url: edited?.url ?? '',
  events: edited?.events ?? [],
  language: edited?.language ?? language,
  enabled: edited?.enabled !== 0,
});

/** An emptied secret stays as it is saved, unless it is to be deleted. */
function requestOf(given: Fields, edited: Webhook | undefined): Request<typeof saveWebhook> {
  const { signSecret = '', forgetSecret = false, enabled, ...fields } = given;
  const secret = forgetSecret ? '' : signSecret.trim() === '' ? undefined : signSecret;
  const signs = takesSignSecret(fields.format) && secret !== undefined ? { signSecret: secret } : {};
  return { ...fields, language: fields.language ?? edited?.language ?? language, enabled: enabled ? 1 : 0, ...signs };
}

/** Language and signature of the texts for a robot; nothing for a webhook. */
function RobotFields({ edited }: { edited: Webhook | undefined }) {
  const t = useMessages('webhooks');
  const format = Form.useWatch<WebhookFormat | undefined>('format') ?? edited?.format ?? 'standard';
  const forgets = Form.useWatch<boolean | undefined>('forgetSecret') === true;
  const isSaved = edited?.format === format && edited.hasSignSecret === 1;
  if (format === 'standard') return null;
  return (
    <>
      <Form.Item name="language" label={t('language')}>
        <Select
          aria-label={t('language')}
          options={[
            { value: 'zh', label: t('inZh') },
            { value: 'en', label: t('languageEn') },
          ]}
        />
      </Form.Item>
      {takesSignSecret(format) && (
        <>
          <FormField
            name="signSecret"
            label={t('signSecret')}
            extra={isSaved ? t('signSecretKept') : t('signSecretHint')}
            rules={[antdRule(byContract(webhookFields.signSecret))]}
          >
            <Input autoComplete="off" spellCheck={false} disabled={forgets} />
          </FormField>
          {isSaved && (
            <Form.Item name="forgetSecret" valuePropName="checked">
              <Checkbox>{t('forgetSecret')}</Checkbox>
            </Form.Item>
          )}
        </>
      )}
    </>
  );
}

function FormatField() {
  const t = useMessages('webhooks');
  const format = Form.useWatch<WebhookFormat | undefined>('format') ?? 'standard';
  return (
    <Form.Item name="format" label={t('format')} extra={t(format === 'standard' ? 'formatStandard' : 'formatRobot')}>
      <Select
        aria-label={t('format')}
        options={FORMATS.map((value) => ({ value, label: WEBHOOK_FORMATS[value][language] }))}
      />
    </Form.Item>
  );
}

type WebhookDrawerProps = {
  frame: DialogFrame;
  edited?: Webhook;
  /** A new secret, to be shown once; called instead of closing. */
  onSecret: (secret: string) => void;
  onRotate?: () => void;
};

/** Adds an endpoint or edits one. A failed save leaves it open with everything that was typed. */
export function WebhookDrawer({ frame, edited, onSecret, onRotate }: WebhookDrawerProps) {
  const t = useMessages('webhooks');
  const { form, formProps, mutation, onFinish } = useForm<Saved & { id?: number }, HttpError, object>({
    resource: 'webhooks',
    action: edited ? 'edit' : 'create',
    id: edited?.id,
    queryOptions: { enabled: false }, // the row has every field
    redirect: false,
    successNotification: { type: 'success', message: t(edited ? 'modified' : 'added') },
    errorNotification: (error): OpenNotificationParams | false => notificationInto(form)(error),
    disableServerSideValidation: true,
    onMutationSuccess: ({ data: { secret } }) => (secret === null ? frame.onClose() : onSecret(secret)),
  });
  const save = useSingleSubmit((fields: Fields) => onFinish(requestOf(fields, edited)));
  const busy = mutation.isPending;
  return (
    <Drawer
      open={frame.open}
      width={480}
      title={<span className="dynamic-text">{t(edited ? 'editTitle' : 'addTitle')}</span>}
      keyboard={!busy}
      closable={!busy}
      maskClosable={false}
      onClose={frame.onClose}
      afterOpenChange={(shown) => (shown ? form.focusField('name') : frame.afterClose())}
      footer={
        <div className="wh-foot">
          <Button disabled={busy} onClick={frame.onClose}>
            {t('cancel')}
          </Button>
          <Button type="primary" loading={busy} onClick={() => form.submit()}>
            {t('save')}
          </Button>
        </div>
      }
    >
      <Form
        {...formProps}
        name="webhook"
        className="wh-form"
        layout="vertical"
        requiredMark={false}
        initialValues={initialOf(edited)}
        onFinish={(fields) => save(fields as Fields)}
      >
        <FormField
          name="name"
          label={t('name')}
          extra={t('nameHint')}
          rules={[antdRule(byContract(webhookFields.name))]}
        >
          <Input maxLength={2 * WEBHOOK_NAME_MAX} autoComplete="off" />
        </FormField>
        <FormatField />
        <FormField name="url" label={t('url')} rules={[antdRule(byContract(webhookFields.url))]}>
          <Input.TextArea
            autoSize={{ minRows: 1, maxRows: 4 }}
            maxLength={2 * WEBHOOK_URL_MAX}
            inputMode="url"
            placeholder={t('urlPlaceholder')}
            spellCheck={false}
          />
        </FormField>
        <RobotFields edited={edited} />
        <Form.Item name="events" label={t('events')} rules={[antdRule(byContract(webhookFields.events))]}>
          <Checkbox.Group className="wh-choices" options={EVENTS.map((value) => ({ value, label: typeName(value) }))} />
        </Form.Item>
        <div className="wh-option">
          <div>
            <label htmlFor="webhook_enabled">{t('enabled')}</label>
            <p className="faint">{t('enabledHint')}</p>
          </div>
          <Form.Item name="enabled" valuePropName="checked" noStyle>
            <Switch />
          </Form.Item>
        </div>
        {edited?.format === 'standard' && onRotate && (
          <div className="wh-option">
            <div>
              <b>{t('secretTitle')}</b>
              <p className="faint">{t('rotateHint')}</p>
            </div>
            <Button disabled={busy} onClick={onRotate}>
              {t('rotate')}
            </Button>
          </div>
        )}
        <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true" />
      </Form>
    </Drawer>
  );
}

import { useForm } from '@refinedev/antd';
import type { HttpError, OpenNotificationParams } from '@refinedev/core';
import { termFields } from '@yiqiao/contracts/glossary';
import { GLOSSARY_TERM_MAX } from '@yiqiao/domain/limits';
import { Button, Drawer, Form, Input } from 'antd';
import { useSingleSubmit } from '../../../shared/refine/use-single-submit.js';
import type { DialogFrame } from '../../shared/dialogs/dialog-frame.js';
import { antdRule, FormField } from '../../../shared/antd/form-field.js';
import { notificationInto } from '../../../shared/antd/refusal-into.js';
import { byContract } from '../../../shared/form/contract-rules.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { LanguageField } from './language-field.js';
import type { TermQuery, TermRow } from './use-term-table.js';

type TermDrawerProps = { frame: DialogFrame; suggested: TermQuery; edited?: TermRow };
type Fields = { source: string; target: string; term: string; translation: string };

/** Adds a term or edits one. A failed save leaves it open with everything that was typed. */
export function TermDrawer({ frame, suggested, edited }: TermDrawerProps) {
  const t = useMessages('glossary');
  const { form, formProps, mutation, onFinish } = useForm<TermRow, HttpError, Fields>({
    resource: 'terms',
    action: edited ? 'edit' : 'create',
    id: edited?.id,
    queryOptions: { enabled: false }, // the row has every field
    redirect: false,
    successNotification: { type: 'success', message: t(edited ? 'modified' : 'added') },
    errorNotification: (error): OpenNotificationParams | false =>
      notificationInto(form, { TERM_EXISTS: 'term' })(error),
    disableServerSideValidation: true,
    onMutationSuccess: frame.onClose,
  });
  const save = useSingleSubmit(onFinish);
  const busy = mutation.isPending;
  const language = (name: 'source' | 'target') => (
    <Form.Item
      name={name}
      label={t(name)}
      dependencies={name === 'target' ? ['source'] : []}
      rules={[
        { required: true, message: t('chooseLanguage') },
        ...(name === 'target'
          ? [
              {
                validator: (_: unknown, code: string) =>
                  code === undefined || code !== form.getFieldValue('source')
                    ? Promise.resolve()
                    : Promise.reject(new Error(t('sameLanguages'))),
              },
            ]
          : []),
      ]}
    >
      <LanguageField label={t(name)} placeholder={t('chooseLanguage')} />
    </Form.Item>
  );
  const words = (name: 'term' | 'translation') => (
    <FormField
      name={name}
      label={t(name)}
      extra={t(name === 'term' ? 'termHint' : 'translationHint')}
      rules={[antdRule(byContract(termFields[name]))]}
    >
      <Input.TextArea autoSize={{ minRows: 1, maxRows: 4 }} maxLength={2 * GLOSSARY_TERM_MAX} spellCheck={false} />
    </FormField>
  );
  return (
    <Drawer
      open={frame.open}
      width={440}
      title={<span className="display">{t(edited ? 'editTitle' : 'addTitle')}</span>}
      keyboard={!busy}
      closable={!busy}
      maskClosable={false}
      onClose={frame.onClose}
      afterOpenChange={(shown) => {
        if (!shown) frame.afterClose();
        else form.focusField(form.getFieldValue('source') === undefined ? 'source' : 'term');
      }}
      footer={
        <div className="gl-foot">
          <Button disabled={busy} onClick={frame.onClose}>
            {t('cancel')}
          </Button>
          <Button type="primary" loading={busy} onClick={() => form.submit()}>
            {t('save')}
          </Button>
        </div>
      }
    >
      <Form<Fields>
        {...formProps}
        name="term"
        className="gl-form"
        layout="vertical"
        requiredMark={false}
        initialValues={edited ?? { source: suggested.source, target: suggested.target }}
        onFinish={save}
      >
        {language('source')}
        {language('target')}
        {words('term')}
        {words('translation')}
        <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true" />
      </Form>
    </Drawer>
  );
}

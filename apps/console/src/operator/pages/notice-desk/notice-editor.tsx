import { useCan } from '@refinedev/core';
import type { Editor } from '@tiptap/react';
import {
  addNotice,
  getNotice,
  listNotices,
  publishNotice,
  saveNotice,
  translateNotice,
} from '@yiqiao/contracts/operator/notices';
import { Button, DatePicker, Form, Input, type FormInstance, Popconfirm } from 'antd';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { refusalInto } from '../../../shared/antd/refusal-into.js';
import { ApiError } from '../../../shared/api/api-error.js';
import { showRefusal } from '../../../shared/api/show-refusal.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpointMutation, useInvalidateEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Icon } from '../../../shared/ui/icon.js';
import { toast } from '../../../shared/ui/toast.js';
import { Conflict } from '../../shared/conflict.js';
import { differing, emptyOf, type Fields, fieldsOf, type Notice, sentOf, type Side, textsOf } from './fields.js';
import { Preview } from './preview.js';
import { RichText } from './rich-text.js';
import { Toolbar } from './toolbar.js';
import { WithdrawDialog } from './withdraw-dialog.js';

type Props = {
  /** As the server has it now; null: a new one. */
  notice: Notice | null;
  /** Those that members see beside it. */
  others: readonly Notice[];
};

/** Both languages, Chinese above the dividing line, the times, and the members' dialog beside them. */
export function NoticeEditor({ notice, others }: Props) {
  const t = useMessages('notice-desk');
  const { data: may } = useCan({ resource: 'notices', action: 'notice.change' });
  const [form] = Form.useForm<Fields>();
  /** The version that the form began with. */
  const [base, setBase] = useState(notice);
  const [caret, setCaret] = useState<Editor | null>(null);
  const [withdrawing, setWithdrawing] = useState(false);
  const initial = fieldsOf(base);
  const fields = (Form.useWatch([], form) as Fields | undefined) ?? initial;
  const commands = useNoticeCommands(base, form, setBase);
  const isDirty = differing(initial, fields).length > 0;
  const isNewer = notice !== null && base !== null && notice.version > base.version && !commands.busy;
  const take = (theirs: Notice): void => {
    form.setFieldsValue(fieldsOf(theirs));
    setBase(theirs);
  };
  useEffect(() => {
    if (isNewer && !isDirty) take(notice);
  });
  const state = notice?.state ?? 'draft';
  const isOver = state === 'withdrawn';
  const disabled = !may?.can || isOver;
  return (
    <>
      <div className="notice-editor">
        <Form form={form} name="notice" className="card" layout="vertical" requiredMark={false} initialValues={initial}>
          {isNewer && isDirty && (
            <Conflict
              by={notice.changedBy}
              at={notice.changedAt}
              rows={differing(fieldsOf(notice), fields).map(({ name, a, b }) => ({
                label: t(`field_${name}`),
                theirs: a,
                yours: b,
              }))}
              onTheirs={() => take(notice)}
              onMine={() => setBase({ ...base, version: notice.version })}
            />
          )}
          <Toolbar editor={caret} disabled={disabled} />
          <Half side="zh" disabled={disabled} onEnter={setCaret} />
          <Half
            side="en"
            disabled={disabled}
            onEnter={setCaret}
            action={<Translate form={form} fields={fields} disabled={disabled} />}
          />
          <div className="notice-foot">
            <div className="notice-times">
              <Form.Item name="startsAt" label={t('from')}>
                <Moment placeholder={t('atOnce')} disabled={disabled} />
              </Form.Item>
              <Form.Item
                name="endsAt"
                label={t('to')}
                dependencies={['startsAt']}
                rules={[
                  {
                    validator: (_, end: Fields['endsAt']) =>
                      end && fields.startsAt && !end.isAfter(fields.startsAt)
                        ? Promise.reject(new Error(t('endsBefore')))
                        : Promise.resolve(),
                  },
                ]}
              >
                <Moment placeholder={t('untilWithdrawn')} disabled={disabled} />
              </Form.Item>
            </div>
            {isOver ? (
              <span className="faint">{t('over', { at: notice?.withdrawnAt?.slice(0, 16) ?? '' })}</span>
            ) : (
              <div className="notice-buttons" title={may?.can ? undefined : may?.reason}>
                {notice && (
                  <Button type="text" danger disabled={disabled} onClick={() => setWithdrawing(true)}>
                    {t(state === 'draft' ? 'discard' : 'withdraw')}
                  </Button>
                )}
                {state === 'draft' && (
                  <Button
                    disabled={disabled || commands.busy || (isNewer && isDirty)}
                    loading={commands.busy}
                    onClick={() => void commands.save(fields)}
                  >
                    {t('saveDraft')}
                  </Button>
                )}
                <Button
                  type="primary"
                  icon={<Icon name="notices" />}
                  disabled={disabled || commands.busy || (isNewer && isDirty)}
                  onClick={() => void commands.publish(fields)}
                >
                  {t(state === 'draft' ? 'publish' : 'publishChange')}
                </Button>
                {!may?.can && may?.reason && <small className="faint">{may.reason}</small>}
              </div>
            )}
          </div>
        </Form>
      </div>
      <div className="notice-preview-column">
        <Preview fields={fields} others={others} note={t(state === 'shown' ? 'changeNote' : 'publishNote')} />
      </div>
      {withdrawing && notice && <WithdrawDialog notice={notice} onClose={() => setWithdrawing(false)} />}
    </>
  );
}

/** Saves and publishes; a new notice becomes a draft first, at its own address. */
function useNoticeCommands(base: Notice | null, form: FormInstance<Fields>, setBase: (base: Notice) => void) {
  const t = useMessages('notice-desk');
  const navigate = useNavigate();
  const invalidate = useInvalidateEndpoint();
  const [busy, setBusy] = useState(false);
  const onError = async (error: unknown): Promise<void> => {
    // The newer version appears beside this one.
    if (error instanceof ApiError && error.code === 'EDITED_MEANWHILE') await invalidate(getNotice);
    else refusalInto(form)(error);
  };
  const add = useEndpointMutation(addNotice, { onError });
  const keep = useEndpointMutation(saveNotice, { onError });
  const publish = useEndpointMutation(publishNotice, { onError });

  /** Runs `work`; its refusals are shown already. */
  const run = async (done: string, work: () => Promise<{ id: number; version: number }>, fields: Fields) => {
    setBusy(true);
    try {
      const { id, version } = await work();
      if (base) setBase({ ...base, ...sentOf(fields), version });
      await Promise.all([invalidate(getNotice), invalidate(listNotices)]);
      toast.success(done);
      if (!base) await navigate(`/notices/${id}`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    } finally {
      setBusy(false);
    }
  };
  const kept = (fields: Fields) =>
    base
      ? keep.mutateAsync({ id: String(base.id), version: base.version, ...sentOf(fields) })
      : add.mutateAsync(sentOf(fields));
  return {
    busy,
    save: (fields: Fields) => run(t('saved'), () => kept(fields), fields),
    publish: async (fields: Fields): Promise<void> => {
      const empty = emptyOf(fields);
      form.setFields(empty.map((name) => ({ name, errors: [t('required')] })));
      if (empty[0]) form.focusField(empty[0]);
      const valid = await form.validateFields(['endsAt']).catch(() => null);
      if (empty.length > 0 || !valid) return;
      await run(
        t('published'),
        async () => {
          const { id, version } = base ?? (await kept(fields));
          return publish.mutateAsync({ id: String(id), version, ...sentOf(fields) });
        },
        fields,
      );
    },
  };
}

type HalfProps = { side: Side; disabled: boolean; onEnter: (editor: Editor) => void; action?: React.ReactNode };

const MOST = { name: 20, title: 100, subTitle: 200 } as const;
const LANG = { zh: 'zh-CN', en: 'en' } as const;

/** The labels say which language a field is in, each in that language. */
function Half({ side, disabled, onEnter, action }: HalfProps) {
  const t = useMessages('notice-desk');
  const lang = LANG[side];
  return (
    <div role="group" aria-label={t(`side_${side}`)} className={`notice-half notice-half-${side}`} lang={lang}>
      <div className="notice-half-head">
        <b>{t(`side_${side}`)}</b>
        {action}
      </div>
      <div className="notice-lines">
        <Form.Item name={`${side}.name`} label={t(`label_${side}_name`)}>
          <Input maxLength={MOST.name} disabled={disabled} />
        </Form.Item>
        <Form.Item name={`${side}.title`} label={t(`label_${side}_title`)}>
          <Input maxLength={MOST.title} disabled={disabled} />
        </Form.Item>
        <Form.Item name={`${side}.subTitle`} label={t(`label_${side}_subTitle`)} className="notice-subtitle-field">
          <Input maxLength={MOST.subTitle} disabled={disabled} placeholder={t(`optional_${side}`)} />
        </Form.Item>
      </div>
      <Form.Item name={`${side}.content`} className="notice-content-field">
        <RichText label={t(`label_${side}_content`)} lang={lang} disabled={disabled} onEnter={onEnter} />
      </Form.Item>
    </div>
  );
}

type MomentProps = {
  id?: string;
  placeholder: string;
  disabled: boolean;
  value?: Fields['endsAt'];
  onChange?: (value: Fields['endsAt']) => void;
};

function Moment({ placeholder, ...field }: MomentProps) {
  return (
    <DatePicker
      {...field}
      className="numeric"
      format="YYYY-MM-DD HH:mm"
      showTime={{ format: 'HH:mm' }}
      showNow={false}
      placeholder={placeholder}
    />
  );
}

/** The English half by a channel of the house, from the Chinese one. */
function Translate({ form, fields, disabled }: { form: FormInstance<Fields>; fields: Fields; disabled: boolean }) {
  const t = useMessages('notice-desk');
  const { mutate, isPending } = useEndpointMutation(translateNotice, {
    onSuccess: ({ texts, channel }) => {
      form.setFieldsValue({
        'en.name': texts.name,
        'en.title': texts.title,
        'en.subTitle': texts.subTitle,
        'en.content': texts.content,
      });
      toast.success(t('translated', { channel }));
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'CHANNEL_UNAVAILABLE') toast.error(t('noChannel'));
      else showRefusal(error);
    },
  });
  const ask = (): void => mutate({ from: 'zh', texts: textsOf(fields, 'zh') });
  const { name, title, content } = textsOf(fields, 'en');
  const hasText = name !== '' || title !== '' || content !== '';
  const nothing = textsOf(fields, 'zh').title === '' && textsOf(fields, 'zh').content === '';
  const button = (
    <Button size="small" loading={isPending} disabled={disabled || nothing} onClick={hasText ? undefined : ask}>
      {t('translate')}
    </Button>
  );
  return hasText && !disabled && !nothing ? (
    <Popconfirm
      title={t('translateAsk')}
      description={t('translateWhy')}
      okText={t('translateOver')}
      cancelText={t('cancel')}
      onConfirm={ask}
    >
      {button}
    </Popconfirm>
  ) : (
    button
  );
}

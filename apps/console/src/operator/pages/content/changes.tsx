import { Button, Form, Input } from 'antd';
import { useMessages } from '../../../shared/i18n/messages.js';
import { BeforeAfter } from '../../../shared/ui/before-after.js';
import { Card } from '../../../shared/ui/card.js';
import { Icon } from '../../../shared/ui/icon.js';
import { type Change, withValue } from './json.js';
import type { Draft } from './use-draft.js';
import { pathName, valueText } from './words.js';

export type Problem = { why: string; at: string | null };

type Props = {
  changes: readonly Change[];
  draft: Draft;
  original: unknown;
  problem: Problem | null;
  busy: boolean;
  /** Somebody else's newer version has to be dealt with first. */
  blocked: boolean;
  /** Why this operator may not save; null: may. */
  refusal: string | null;
  onSave: (reason: string) => void;
};

const SHOWN_MOST = 40;

/** Before → after of everything that would be saved, each with the way back, and the reason for the action log. */
export function Changes({ changes, draft, original, problem, busy, blocked, refusal, onSave }: Props) {
  const t = useMessages('content');
  const [form] = Form.useForm<{ reason: string }>();
  const clean = changes.length === 0 && !draft.isBroken;
  return (
    <Card title={clean ? t('noChanges') : t('changes')} note={clean ? undefined : t('changesNote')}>
      {clean ? (
        <p className="card-body muted">{refusal ?? t('noChangesNote')}</p>
      ) : (
        <>
          <ul className="document-changes">
            {changes.slice(0, SHOWN_MOST).map((change) => (
              <OneChange key={change.path.join('.')} change={change} draft={draft} />
            ))}
          </ul>
          {changes.length > SHOWN_MOST && (
            <p className="card-body muted">{t('moreChanges', { n: changes.length - SHOWN_MOST })}</p>
          )}
          {problem && (
            <p className="remark bad document-problem" role="alert">
              <Icon name="alert" />
              <span>
                {problem.why}
                {problem.at ? <> ({t('atField', { at: problem.at })})</> : null}
              </span>
            </p>
          )}
          <Form
            form={form}
            name="document-reason"
            layout="vertical"
            requiredMark={false}
            className="document-reason"
            onFinish={({ reason }) => {
              onSave(reason);
            }}
          >
            <Form.Item
              name="reason"
              label={t('reason')}
              rules={[{ required: true, whitespace: true, message: t('reasonRequired') }]}
            >
              <Input maxLength={500} autoComplete="off" />
            </Form.Item>
            <div className="document-buttons">
              <Button type="text" disabled={busy} onClick={() => draft.setValue(original)}>
                {t('revertAll')}
              </Button>
              <Button type="primary" htmlType="submit" loading={busy} disabled={draft.isBroken || blocked}>
                {t('save')}
              </Button>
            </div>
          </Form>
        </>
      )}
    </Card>
  );
}

function OneChange({ change: { path, before, after }, draft }: { change: Change; draft: Draft }) {
  const t = useMessages('content');
  const name = pathName(draft.value, path, t);
  return (
    <li>
      <span className="badge hand">
        <Icon name="stamp" />
      </span>
      <b>{name}</b>
      <BeforeAfter before={valueText(path, before, t)} after={valueText(path, after, t)} />
      <button
        type="button"
        className="link link-button"
        aria-label={t('revertOf', { name })}
        onClick={() => draft.setValue(withValue(draft.value, path, before))}
      >
        {t('revert')}
      </button>
    </li>
  );
}

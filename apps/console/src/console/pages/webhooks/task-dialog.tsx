import { useInvalidate } from '@refinedev/core';
import { rotateWebhookSecret } from '@yiqiao/contracts/webhooks';
import { WEBHOOK_FAILURES } from '@yiqiao/domain/webhooks';
import { Button, Modal } from 'antd';
import { copyText } from '../../../shared/clipboard.js';
import { grouped } from '../../../shared/amounts.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { Icon } from '../../../shared/ui/icon.js';
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.js';
import type { DialogFrame } from '../../shared/dialogs/dialog-frame.js';
import { RemoveDialog } from '../../shared/dialogs/remove-dialog.js';
import { SavedButton } from '../../shared/dialogs/saved-button.js';
import { LogDrawer } from './log-drawer.js';
import type { Task, TestResult, Webhook } from './webhook.js';
import { WebhookDrawer } from './webhook-drawer.js';

/** The secret, which is not shown again. */
function SecretDialog({ frame, secret, rotated }: { frame: DialogFrame; secret: string; rotated: boolean }) {
  const t = useMessages('webhooks');
  return (
    <Modal
      open={frame.open}
      width={520}
      title={<span className="dynamic-text">{t('secretTitle')}</span>}
      maskClosable={false}
      // An accidental Escape must not lose it.
      keyboard={false}
      closable={false}
      afterClose={frame.afterClose}
      footer={
        <>
          <Button onClick={({ currentTarget }) => void copyText(secret, currentTarget)}>{t('copy')}</Button>
          <SavedButton onClick={frame.onClose}>{t('saved')}</SavedButton>
        </>
      }
    >
      <p>{t('secretWhy')}</p>
      <p className="wh-secret">
        <code>{secret}</code>
      </p>
      {rotated && <p className="muted">{t('secretRotated')}</p>}
    </Modal>
  );
}

/** How a test went. */
function TestedDialog({ frame, webhook, result }: { frame: DialogFrame; webhook: Webhook; result: TestResult }) {
  const t = useMessages('webhooks');
  const { delivered, httpStatus, milliseconds, failure, answer } = result;
  return (
    <Modal
      open={frame.open}
      width={520}
      title={<span className="dynamic-text">{t('testTitle')}</span>}
      onCancel={frame.onClose}
      afterClose={frame.afterClose}
      footer={
        <Button type="primary" autoFocus onClick={frame.onClose}>
          {t('close')}
        </Button>
      }
    >
      <div className="wh-tested" role="status">
        <p>
          <span className={delivered ? 'badge increase' : 'badge danger'}>
            <Icon name={delivered ? 'check' : 'info'} />
            {t(delivered ? 'testDelivered' : 'testFailed')}
          </span>{' '}
          <span className="dynamic-text">{webhook.name}</span>
        </p>
        {failure !== null && <p>{WEBHOOK_FAILURES[failure][language]}</p>}
        <dl>
          {httpStatus !== null && (
            <div>
              <dt>{t('status')}</dt>
              <dd className="numeric">{httpStatus}</dd>
            </div>
          )}
          {milliseconds !== null && (
            <div>
              <dt>{t('duration')}</dt>
              <dd className="numeric">{t('ms', { n: grouped(milliseconds) })}</dd>
            </div>
          )}
        </dl>
        {httpStatus !== null && <Answer answer={answer} />}
      </div>
    </Modal>
  );
}

function Answer({ answer }: { answer: string | null }) {
  const t = useMessages('webhooks');
  if (!answer) return <p className="faint">{t('noAnswer')}</p>;
  return (
    <pre className="wh-answer" tabIndex={0} aria-label={t('answer')}>
      {answer}
    </pre>
  );
}

type RotateDialogProps = { frame: DialogFrame; webhook: Webhook; onSecret: (secret: string) => void };

function RotateDialog({ frame, webhook, onSecret }: RotateDialogProps) {
  const t = useMessages('webhooks');
  const invalidate = useInvalidate();
  const { mutate, isPending } = useEndpointMutation(rotateWebhookSecret, {
    onSuccess: ({ secret }) => {
      void invalidate({ resource: 'webhooks', invalidates: ['list'] });
      onSecret(secret);
    },
  });
  return (
    <ConfirmDialog
      frame={frame}
      title={<span className="dynamic-text">{t('rotate')}</span>}
      verb={t('rotate')}
      look="danger"
      busy={isPending}
      onConfirm={() => mutate({ id: webhook.id })}
    >
      <p>{t('rotateWhy')}</p>
    </ConfirmDialog>
  );
}

type TaskDialogProps = {
  task: Task;
  frame: DialogFrame;
  start: (task: Task) => void;
  onRemoved: (count: number) => void;
};

/** The dialog of the current task. */
export function TaskDialog({ task, frame, start, onRemoved }: TaskDialogProps) {
  const t = useMessages('webhooks');
  const onSecret = (secret: string, rotated: boolean): void => start({ kind: 'secret', secret, rotated });
  switch (task.kind) {
    case 'add':
      return <WebhookDrawer frame={frame} onSecret={(secret) => onSecret(secret, false)} />;
    case 'edit':
      return (
        <WebhookDrawer
          frame={frame}
          edited={task.webhook}
          onSecret={(secret) => onSecret(secret, false)}
          onRotate={() => start({ kind: 'rotate', webhook: task.webhook })}
        />
      );
    case 'rotate':
      return <RotateDialog frame={frame} webhook={task.webhook} onSecret={(secret) => onSecret(secret, true)} />;
    case 'secret':
      return <SecretDialog frame={frame} secret={task.secret} rotated={task.rotated} />;
    case 'tested':
      return <TestedDialog frame={frame} webhook={task.webhook} result={task.result} />;
    case 'log':
      return <LogDrawer frame={frame} webhook={task.webhook} />;
    case 'remove':
      return (
        <RemoveDialog
          frame={frame}
          resource="webhooks"
          ids={[task.webhook.id]}
          messages={{ title: t('removeTitle'), verb: t('removeVerb'), deleted: t('deleted') }}
          name={task.webhook.name}
          onRemoved={onRemoved}
        >
          <p>{t('removeWhy')}</p>
        </RemoveDialog>
      );
  }
}

import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import type { DialogFrame } from '../../shared/dialogs/dialog-frame.js';
import { RemoveDialog } from '../../shared/dialogs/remove-dialog.js';
import { KeyDetails } from './key-details.js';
import { KeyDrawer } from './key-drawer.js';
import type { ApiKey } from './key.js';
import { RotateDialog } from './rotate-dialog.js';
import type { Task } from './task.js';

const NAMED = 6;

type RevokeProps = { frame: DialogFrame; apiKeys: readonly ApiKey[]; onRevoked: (count: number) => void };

function RevokeKeys({ frame, apiKeys, onRevoked }: RevokeProps) {
  const t = useMessages('api-keys');
  const single = apiKeys.length === 1 ? apiKeys[0] : undefined;
  const names = apiKeys
    .slice(0, NAMED)
    .map(({ name }) => name)
    .join(t('separator'));
  return (
    <RemoveDialog
      frame={frame}
      resource="apiKeys"
      ids={apiKeys.map(({ id }) => id)}
      messages={{
        title: single ? t('revokeTitle') : t('revokeManyTitle', { n: grouped(apiKeys.length) }),
        verb: t('revokeVerb'),
        deleted: t('revokeDone'),
      }}
      name={single?.name}
      onRemoved={onRevoked}
    >
      {!single && (
        <p className="dynamic-text">
          {apiKeys.length > NAMED ? t('revokeMore', { names, n: grouped(apiKeys.length) }) : names}
        </p>
      )}
      <p>{t('revokeWhy')}</p>
    </RemoveDialog>
  );
}

type TaskDialogProps = {
  task: Task;
  frame: DialogFrame;
  onCreated: () => void;
  onRevoked: (count: number) => void;
};

/** The dialog of the current task. */
export function TaskDialog({ task, frame, onCreated, onRevoked }: TaskDialogProps) {
  switch (task.kind) {
    case 'create':
      return <KeyDrawer frame={frame} onCreated={onCreated} />;
    case 'edit':
      return <KeyDrawer frame={frame} edited={task.apiKey} onCreated={onCreated} />;
    case 'show':
      return <KeyDetails frame={frame} apiKey={task.apiKey} />;
    case 'rotate':
      return <RotateDialog frame={frame} apiKey={task.apiKey} />;
    case 'revoke':
      return <RevokeKeys frame={frame} apiKeys={task.apiKeys} onRevoked={onRevoked} />;
  }
}

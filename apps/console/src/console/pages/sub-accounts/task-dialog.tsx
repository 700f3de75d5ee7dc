import type { DialogFrame } from '../../shared/dialogs/dialog-frame.js';
import { AutoAllDialog, EnabledDialog, RemoveSubAccounts } from './confirm-dialogs.js';
import { EnabledManyDialog } from './batch/enabled-many-dialog.js';
import { ShareManyDialog } from './batch/share-many-dialog.js';
import { ChildDrawer } from './child-drawer.js';
import { DistributionDialog } from './distribution/distribution-dialog.js';
import { PasswordDialog } from './password-dialog.js';
import type { ChildTable } from './use-sub-accounts.js';
import type { Task } from './task.js';

type TaskDialogProps = {
  task: Task;
  frame: DialogFrame;
  table: ChildTable;
  onRemoved: (count: number) => void;
};

/** The dialog of the current task. */
export function TaskDialog({ task, frame, table, onRemoved }: TaskDialogProps) {
  const showNewest = (): void => {
    table.setSearch('');
    table.setCurrentPage(1);
  };
  const hasSome = table.total > 0 || table.search !== '';
  switch (task.kind) {
    case 'add':
      return <ChildDrawer frame={frame} hasSome={hasSome} onAdded={showNewest} />;
    case 'edit':
      return <ChildDrawer frame={frame} edited={task.child} hasSome={hasSome} onAdded={showNewest} />;
    case 'password':
      return <PasswordDialog frame={frame} child={task.child} />;
    case 'share':
      return <DistributionDialog frame={frame} child={task.child} />;
    case 'enabled':
      return <EnabledDialog frame={frame} child={task.child} />;
    case 'remove':
      return <RemoveSubAccounts frame={frame} subAccounts={task.children} onRemoved={onRemoved} />;
    case 'shareMany':
      return (
        <ShareManyDialog frame={frame} targets={{ ticked: task.children, search: table.search, total: table.total }} />
      );
    case 'enabledMany':
      return (
        <EnabledManyDialog
          frame={frame}
          targets={{ ticked: task.children, search: table.search, total: table.total }}
        />
      );
    case 'autoAll':
      return <AutoAllDialog frame={frame} />;
  }
}

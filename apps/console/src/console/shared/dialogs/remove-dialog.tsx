import { type BaseKey, useDeleteMany } from '@refinedev/core';
import type { ReactNode } from 'react';
import { refusalNotification } from '../../../shared/refine/use-endpoint.js';
import { useSingleSubmit } from '../../../shared/refine/use-single-submit.js';
import type { ResourceName } from '../resources.js';
import { ConfirmDialog } from './confirm-dialog.js';
import type { DialogFrame } from './dialog-frame.js';

type RemoveDialogProps = {
  frame: DialogFrame;
  resource: ResourceName;
  ids: readonly BaseKey[];
  messages: { title: string; verb: string; deleted: string };
  /** The row's name, shown after the title, if it is one row. */
  name: string | undefined;
  onRemoved: (count: number) => void;
  /** What is lost. */
  children: ReactNode;
};

/** Confirms, then deletes one or several rows, all or none. */
export function RemoveDialog(props: RemoveDialogProps) {
  const { frame, resource, ids, messages, name, onRemoved, children } = props;
  const { mutateAsync, mutation } = useDeleteMany();
  const remove = useSingleSubmit(async () => {
    await mutateAsync({
      resource,
      ids: [...ids],
      successNotification: { type: 'success', message: messages.deleted },
      errorNotification: refusalNotification,
    });
    onRemoved(ids.length);
    frame.onClose();
  });
  return (
    <ConfirmDialog
      frame={frame}
      title={
        <>
          {messages.title}
          {name !== undefined && <span className="dynamic-text">{name}</span>}
        </>
      }
      verb={messages.verb}
      look="danger"
      busy={mutation.isPending}
      onConfirm={remove}
    >
      {children}
    </ConfirmDialog>
  );
}

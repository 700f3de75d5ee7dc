import { Modal } from 'antd';
import { useRef, type ReactNode } from 'react';
import type { DialogFrame } from './dialog-frame.js';
import { whileBusy } from './dialog-frame.js';
import './confirm-dialog.css';

type ConfirmDialogProps = {
  frame: DialogFrame;
  title: ReactNode;
  /** The label of the confirm button. */
  verb: string;
  /** The label of the cancel button, where "cancel" could be read as the action itself. */
  keep?: string;
  look?: 'usual' | 'danger';
  /** The mutation is pending: the dialog cannot be closed. */
  busy: boolean;
  /** Starts the mutation, which closes the dialog when it succeeds; a refusal leaves it open. */
  onConfirm: () => void;
  children: ReactNode;
};

/** Confirms an action and explains its consequences. The focus starts at "cancel" where something would be lost. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { frame, title, verb, keep, look = 'usual', busy, onConfirm, children } = props;
  const danger = look === 'danger';
  const buttons = useRef<HTMLDivElement>(null);
  // Not autoFocus: the dialog would remember its own button as the place to give the focus back to.
  const focusFirst = (): void => {
    const [cancel, confirm] = buttons.current?.querySelectorAll('button') ?? [];
    (danger ? cancel : confirm)?.focus();
  };
  return (
    <Modal
      open={frame.open}
      width={460}
      title={<span className="display">{title}</span>}
      okText={verb}
      {...(keep === undefined ? {} : { cancelText: keep })}
      okButtonProps={{ danger }}
      {...whileBusy(busy)}
      onOk={onConfirm}
      onCancel={frame.onClose}
      afterClose={frame.afterClose}
      afterOpenChange={(shown) => shown && focusFirst()}
      footer={(usual) => (
        <div ref={buttons} className="cf-foot">
          {usual}
        </div>
      )}
    >
      <div className="cf-body">{children}</div>
    </Modal>
  );
}

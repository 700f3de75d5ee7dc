/** The state of a page's dialog: it stays mounted until its closing animation has ended. */
export type DialogFrame = { open: boolean; onClose: () => void; afterClose: () => void };

/** Props of antd's Modal while its mutation is pending: neither Escape nor the mask nor the cross closes it (DESIGN §4). */
export const whileBusy = (busy: boolean) =>
  ({
    confirmLoading: busy,
    closable: !busy,
    keyboard: !busy,
    maskClosable: false,
    cancelButtonProps: { disabled: busy },
  }) as const;

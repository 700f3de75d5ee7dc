/** How a page opens a dialog of its own: it stays until its closing is over, so that nothing in it vanishes early. */
export type DialogFrame = { open: boolean; onClose: () => void; afterClose: () => void };

/** What antd's Modal takes while its work runs: neither Escape nor the mask nor the cross closes it (DESIGN §4). */
export const whileBusy = (busy: boolean) =>
  ({
    confirmLoading: busy,
    closable: !busy,
    keyboard: !busy,
    maskClosable: false,
    cancelButtonProps: { disabled: busy },
  }) as const;

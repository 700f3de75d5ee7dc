import type { NotificationProvider } from '@refinedev/core';
import { toast } from '../shared/ui/toast.js';

/**
 * Refine's messages go where all messages go. Its messages about failures are left out: the gate has announced what the
 * specification asks for, and a page shows the rest in the place of what did not load.
 */
export const notifications: NotificationProvider = {
  open: ({ type, message }) => {
    if (type === 'success') toast.success(message);
  },
  close: () => undefined,
};

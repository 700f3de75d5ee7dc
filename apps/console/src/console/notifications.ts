import type { NotificationProvider } from '@refinedev/core';
import { toast } from '../shared/ui/toast.js';

/**
 * Refine's notifications are toasts like all others. Reads switch their error notification off, because the page shows a failure in
 * the place of the data; a refused change says why with `refusalNotification` (use-endpoint.ts).
 */
export const notifications: NotificationProvider = {
  open: ({ type, message }) => {
    if (type === 'success') toast.success(message);
    if (type === 'error') toast.error(message);
  },
  close: () => undefined,
};

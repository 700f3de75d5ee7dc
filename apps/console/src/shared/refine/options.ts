import type { NotificationProvider, RefineProps } from '@refinedev/core';
import { toast } from '../ui/toast.js';

/**
 * Refine's notifications are toasts like all others. Reads switch their error notification off, because the page shows a failure in
 * the place of the data; a refused change shows the reason with `refusalNotification` (use-endpoint.ts). Only Refine's own fallbacks have a key:
 * they name a status code, for reads that cannot be switched off.
 */
export const notificationProvider: NotificationProvider = {
  open: ({ type, message, key }) => {
    if (type === 'success') toast.success(message);
    if (type === 'error' && key === undefined) toast.error(message);
  },
  close: () => undefined,
};

export const REFINE_OPTIONS: RefineProps['options'] = {
  disableTelemetry: true,
  syncWithLocation: true,
  warnWhenUnsavedChanges: false,
  liveMode: 'auto',
  // Offline, a request fails at once. Paused until the network is back, a change would be sent unexpectedly late.
  reactQuery: {
    clientConfig: {
      defaultOptions: {
        queries: { retry: false, staleTime: 0, networkMode: 'always' },
        mutations: { networkMode: 'always' },
      },
    },
  },
};

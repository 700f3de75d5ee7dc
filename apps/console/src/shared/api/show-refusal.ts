import { toast } from '../ui/toast.js';
import { messageOf } from './api-error.js';

/** Shows a refusal at the top of the page. Errors that are not the API's are bugs and are thrown on. */
export const showRefusal = (error: unknown): void => {
  const message = messageOf(error);
  if (message !== null) toast.error(message);
};

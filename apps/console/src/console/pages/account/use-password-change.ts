import type { Endpoint } from '@yiqiao/contracts/endpoint';
import type { FormInstance } from 'antd';
import { messageOf, type ApiError } from '../../../shared/api/api-error.js';
import { endSession } from '../../../shared/api/session.js';
import { useEndpointMutation } from '../../../shared/api/use-endpoint.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { leaveFor } from '../../../shared/leave.js';
import { toast } from '../../../shared/ui/toast.js';

/** The field of the form that a refusal is about, where it is about one. */
const FIELD_OF: Readonly<Record<string, string>> = {
  WRONG_OLD_PASSWORD: 'oldPassword',
  VCODE_WRONG: 'vcode',
  VCODE_EXPIRED: 'vcode',
};

const showRefusal = (error: unknown, form: FormInstance): void => {
  const why = messageOf(error);
  if (why === null) return;
  const { code, errors } = error as ApiError;
  const field = FIELD_OF[code];
  if (field !== undefined) form.setFields([{ name: field, errors: [why] }]);
  else if (errors.length > 0) form.setFields(errors.map((e) => ({ name: e.path, errors: [e.msg] })));
  else toast.error(why);
};

/**
 * Changes the password. Success ends every session: the member is told, signed out here, and led home (specification §4, §8). A refusal
 * is shown in the form.
 */
export function usePasswordChange<E extends Endpoint>(endpoint: E, form: FormInstance) {
  const t = useTexts('account');
  return useEndpointMutation(endpoint, {
    successMessage: () => t('done'),
    onSuccess: async () => {
      endSession();
      await leaveFor('/home');
    },
    onError: (error) => showRefusal(error, form),
  });
}

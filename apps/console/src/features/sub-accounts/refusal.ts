import type { FormInstance } from 'antd';
import { ApiError } from '../../shared/api/api-error.js';
import { sayRefusal } from '../../shared/dialogs/use-action.js';

/** The field that a refusal is about, where its code says so. */
const FIELD_OF: Readonly<Record<string, string>> = { USERNAME_TAKEN: 'account' };

/** Puts a refusal at the fields it names, and goes to the first of them; anything else is said at the top of the page. */
export const refusalInto =
  (form: FormInstance) =>
  (error: unknown): void => {
    if (!(error instanceof ApiError)) throw error;
    const byCode = FIELD_OF[error.code];
    const named = error.errors.length > 0 ? error.errors : byCode ? [{ path: byCode, msg: error.message }] : [];
    const known = named.filter(({ path }) => form.getFieldInstance(path) !== undefined);
    form.setFields(known.map(({ path, msg }) => ({ name: path, errors: [msg] })));
    const first = known[0]?.path;
    if (first === undefined) sayRefusal(error);
    else form.focusField(first);
  };

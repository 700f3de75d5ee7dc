import type { FormInstance } from 'antd';
import type { ErrorCode } from '@yiqiao/domain/errors';
import { ApiError } from '../../../shared/api/api-error.js';
import { showRefusal } from '../api/show-refusal.js';

/** The field that a refusal is about, where its code says so. */
type FieldOf = Readonly<Partial<Record<ErrorCode, string>>>;

/** Puts a refusal at the fields it names, and goes to the first of them; anything else is said at the top of the page. */
export const refusalInto =
  (form: FormInstance, fieldOf: FieldOf = {}) =>
  (error: unknown): void => {
    if (!(error instanceof ApiError)) throw error;
    const byCode = (fieldOf as Readonly<Record<string, string | undefined>>)[error.code];
    const named = error.errors.length > 0 ? error.errors : byCode ? [{ path: byCode, msg: error.message }] : [];
    const known = named.filter(({ path }) => form.getFieldInstance(path) !== undefined);
    form.setFields(known.map(({ path, msg }) => ({ name: path, errors: [msg] })));
    const first = known[0]?.path;
    if (first === undefined) showRefusal(error);
    else form.focusField(first);
  };

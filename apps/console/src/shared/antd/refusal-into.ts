import type { OpenNotificationParams } from '@refinedev/core';
import type { FormInstance } from 'antd';
import type { ErrorCode } from '@yiqiao/domain/errors';
import { ApiError } from '../api/api-error.js';
import { showRefusal } from '../api/show-refusal.js';
import { refusalNotification } from '../refine/use-endpoint.js';

/** The field that a refusal is about, where its code says so. */
type FieldOf = Readonly<Partial<Record<ErrorCode, string>>>;

/** Shows a refusal at the fields it names and focuses the first of them. False when none of them is on screen. */
function showAtFields(form: FormInstance, fieldOf: FieldOf, error: unknown): boolean {
  if (!(error instanceof ApiError)) throw error;
  const byCode = (fieldOf as Readonly<Record<string, string | undefined>>)[error.code];
  const named = error.errors.length > 0 ? error.errors : byCode ? [{ path: byCode, msg: error.message }] : [];
  const known = named.filter(({ path }) => form.getFieldInstance(path) !== undefined);
  form.setFields(known.map(({ path, msg }) => ({ name: path, errors: [msg] })));
  const first = known[0]?.path;
  if (first !== undefined) form.focusField(first);
  return first !== undefined;
}

/** Shows a refusal at the fields it names, any other at the top of the page. */
export const refusalInto =
  (form: FormInstance, fieldOf: FieldOf = {}) =>
  (error: unknown): void => {
    if (!showAtFields(form, fieldOf, error)) showRefusal(error);
  };

/**
 * The same as `errorNotification` of Refine's form hooks, which Refine calls even when the page has been left; it does not call
 * `onMutationError` then.
 */
export const notificationInto =
  (form: FormInstance, fieldOf: FieldOf = {}) =>
  (error: unknown): OpenNotificationParams | false =>
    !showAtFields(form, fieldOf, error) && refusalNotification(error);

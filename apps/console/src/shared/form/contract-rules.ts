import { fieldMessages, isFieldCode, type FieldCode } from '@yiqiao/contracts/field-messages';
import type { z } from 'zod';
import { language } from '../i18n/language.js';
import type { Rule } from './rules.js';

/** The contract's own rule, so that form and server show the same messages (specification §5). */
export const byContract =
  (schema: z.ZodType): Rule =>
  (value) => {
    // An empty field is a missing value: "please enter …", not "too short".
    const code = schema.safeParse(value === '' ? undefined : value).error?.issues[0]?.message;
    if (code === undefined) return null;
    return isFieldCode(code) ? code : 'INVALID';
  };

export const sentenceOf = (code: FieldCode): string => fieldMessages[code][language];

import { Form, type FormItemProps } from 'antd';
import type { RuleObject } from 'antd/es/form/index.js';
import { cloneElement, type FocusEvent, type ReactElement } from 'react';
import { sentenceOf } from '../form/contract-rules.js';
import type { Rule } from '../form/rules.js';
import { afterPress } from '../ui/after-press.js';

type Left = { onBlur?: (event: FocusEvent) => void };

/** What antd's `Form.Item` gives to its only child, given on; the field is left once the press that leaves it has ended. */
function LeftAfterPress({ children, onBlur, ...control }: Left & { children: ReactElement<Left> }) {
  return cloneElement(children, { ...control, onBlur: (event) => afterPress(() => onBlur?.(event)) });
}

type FormFieldProps = Omit<FormItemProps, 'children'> & { children: ReactElement<Left> };

/** A field that is validated when it is left and when its form is submitted (specification §5). */
export function FormField({ children, ...item }: FormFieldProps) {
  return (
    <Form.Item validateTrigger={['onBlur', 'onSubmit']} {...item}>
      <LeftAfterPress>{children}</LeftAfterPress>
    </Form.Item>
  );
}

/** Converts one of our rules into antd's. `values`: the form's, for rules that compare fields. */
export const antdRule = (rule: Rule, values: () => Record<string, string> = () => ({})): RuleObject => ({
  validator: (_rule, typed: string | undefined) => {
    const code = rule(typed ?? '', values());
    return code === null ? Promise.resolve() : Promise.reject(new Error(sentenceOf(code)));
  },
});

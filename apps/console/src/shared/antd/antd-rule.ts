import type { RuleObject } from 'antd/es/form/index.js';
import { sentenceOf } from '../form/contract-rules.js';
import type { Rule } from '../form/rules.js';

/** When the fields of a form are validated (specification §5). */
export const ON_BLUR_AND_SUBMIT = ['onBlur', 'onSubmit'];

/** Converts one of our rules into antd's. `values`: the form's, for rules that compare fields. */
export const antdRule = (rule: Rule, values: () => Record<string, string> = () => ({})): RuleObject => ({
  validator: (_rule, typed: string | undefined) => {
    const code = rule(typed ?? '', values());
    return code === null ? Promise.resolve() : Promise.reject(new Error(sentenceOf(code)));
  },
});

import { username as usernameField } from '@yiqiao/contracts/fields';
import type { RuleObject } from 'antd/es/form/index.js';
import { ApiError } from '../../../shared/api/api-error.js';
import { byContract, sentenceOf } from '../../../shared/form/rules.js';

const wellFormed = byContract(usernameField);

/**
 * The form of an account name, then whether somebody has it (specification §5). The server is asked once per name; when it cannot
 * answer, the submission will.
 */
export function usernameRule(isFree: (username: string) => Promise<boolean>): RuleObject {
  let known: { name: string; free: boolean } | null = null;
  return {
    validator: async (_rule, typed: string | undefined) => {
      const name = typed ?? '';
      const code = wellFormed(name, {});
      if (code !== null) throw new Error(sentenceOf(code));
      if (known?.name !== name) {
        try {
          known = { name, free: await isFree(name) };
        } catch (error) {
          if (error instanceof ApiError) return;
          throw error;
        }
      }
      if (!known.free) throw new Error(sentenceOf('USERNAME_TAKEN'));
    },
  };
}

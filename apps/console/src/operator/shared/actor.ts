import { useMessages } from '../../shared/i18n/messages.js';

const COMMAND_LINE = 'cli:';

/** Whether a person signed in to the console did it. */
export const isOperator = (actor: string): boolean => actor !== 'system' && !actor.startsWith(COMMAND_LINE);

/** Who did it, in words: an operator, the system, or somebody at the command line. */
export function useActorName(): (actor: string) => string {
  const t = useMessages('operator');
  return (actor) => {
    if (isOperator(actor)) return actor;
    return actor === 'system' ? t('bySystem') : t('byCommandLine', { name: actor.slice(COMMAND_LINE.length) });
  };
}

import type { memberRow } from '@yiqiao/contracts/operator/members';
import type { z } from 'zod';
import { useMessages } from '../../../shared/i18n/messages.js';

type State = z.output<typeof memberRow>['state'];

const LOOKS: Record<State, string> = { enabled: 'ok', low: 'warning', expired: 'warning', disabled: 'bad', closed: '' };

/** The state of a member, as a mark and a word. */
export function MemberState({ state }: { state: State }) {
  const t = useMessages('members');
  return <span className={`state ${LOOKS[state]}`}>{t(`state_${state}`)}</span>;
}

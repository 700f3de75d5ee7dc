import type { Response } from '@yiqiao/contracts/endpoint';
import type { listRequests } from '@yiqiao/contracts/operator/requests';
import { REQUEST_STATES } from '@yiqiao/domain/operators';
import { language } from '../../../shared/i18n/language.js';

type Row = Response<typeof listRequests>['rows'][number];

const STATE_CLASS = {
  open: '',
  done: 'ok',
  failed: 'warning',
  rejected: 'bad',
  withdrawn: '',
  lapsed: '',
} as const satisfies Record<Row['state'], string>;

/** The end of a request in words, with its reason where it was not carried out. */
export function RequestResult({ row }: { row: Pick<Row, 'state' | 'outcome' | 'decisionReason'> }) {
  const { state, outcome, decisionReason } = row;
  const refusal = outcome?.refusal?.text[language];
  const why = state === 'failed' ? refusal : state === 'rejected' ? decisionReason : null;
  return (
    <span className={`state ${STATE_CLASS[state]}`}>
      {REQUEST_STATES[state][language]}
      {why && (language === 'zh' ? `：${why}` : `: ${why}`)}
    </span>
  );
}

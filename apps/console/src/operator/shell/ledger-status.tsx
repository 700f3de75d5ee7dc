import { useCan } from '@refinedev/core';
import type { Response } from '@yiqiao/contracts/endpoint';
import { getLedgerStatus } from '@yiqiao/contracts/operator/audits';
import { listRequests } from '@yiqiao/contracts/operator/requests';
import { Link } from 'react-router';
import { useMessages } from '../../shared/i18n/messages.js';
import { useEndpoint } from '../../shared/refine/use-endpoint.js';
import { Icon } from '../../shared/ui/icon.js';

type Status = Response<typeof getLedgerStatus>;

const useStatus = (): Status | undefined => useEndpoint(getLedgerStatus, {}).data;

const DECK = { whole: 'M0 6Q22 0 44 6', broken: 'M0 6Q9 3.5 17 3M27 3Q35 3.5 44 6' } as const;

/** The foot of the side bar, on every page: the state of the proof. Blank until it is known. */
export function LedgerStatus({ onGo }: { onGo?: (() => void) | undefined }) {
  const t = useMessages('operator');
  const status = useStatus();
  if (!status) return null;
  const { title, note, state } = wordsOf(status, t);
  return (
    <Link className={`ledger-status ${state}`} to="/ledger/audits" title={title} onClick={onGo}>
      <svg viewBox="0 0 44 20" fill="none" stroke="currentColor" strokeWidth="1.4" aria-hidden="true">
        <path d={state === 'bad' ? DECK.broken : DECK.whole} />
        <path d="M2 19C3 8 20 8 21 19M23 19C24 8 41 8 42 19" strokeDasharray={state === 'bad' ? '2.5 3' : undefined} />
        <path className="water" d="M0 19.3h44" />
      </svg>
      <span>
        <b>{title}</b>
        <small className="numeric">{note}</small>
      </span>
    </Link>
  );
}

type Words = { title: string; note: string; state: 'bad' | 'running' | 'whole' | 'none' };

function wordsOf({ running, last, lastFull, readOnly }: Status, t: ReturnType<typeof useMessages<'operator'>>): Words {
  const found = readOnly[0] ?? differenceOf(last) ?? differenceOf(lastFull);
  if (found) return { title: t('ledgerDiffers'), note: placeOf(found, t), state: 'bad' };
  if (running) {
    const share = running.total > 0 ? Math.min(1, running.entries / running.total) : 0;
    const percent = (Math.floor(share * 1_000) / 10).toFixed(1);
    return { title: t('ledgerRunning'), note: `${percent} %`, state: 'running' };
  }
  if (last) {
    const at = (last.finishedAt ?? '').slice(5, 16);
    const note = last.depth === 'full' ? at : t('sinceAnchors', { at });
    return { title: t('ledgerWhole'), note, state: 'whole' };
  }
  return { title: t('ledgerUnproven'), note: t('ledgerUnprovenNote'), state: 'none' };
}

/** One that only a full run can see stays until a full run no longer finds it. */
const differenceOf = (run: Status['last']) => (run?.state === 'different' ? run.firstDifference : null);

const placeOf = (
  { account, seq }: { account: number; seq: number | null },
  t: ReturnType<typeof useMessages<'operator'>>,
): string => {
  if (account === 0) return t('placeDatabase');
  return seq === null ? t('placeAccount', { userId: account }) : t('placeEntry', { userId: account, seq });
};

/** Stays until an owner has lifted what the difference stopped, and cannot be closed. */
export function DifferenceBand() {
  const t = useMessages('operator');
  const status = useStatus();
  const closed = status?.readOnly ?? [];
  const [first] = closed;
  const difference = differenceOf(status?.last ?? null) ?? differenceOf(status?.lastFull ?? null);
  // One that is in no family has nothing to lift: it stays until the whole ledger is whole.
  const found = first ?? (difference?.family === null ? difference : undefined);
  return (
    <div role="alert" className="band-place">
      {found && (
        <div className="band band-danger">
          <Icon name="broken" />
          <div>
            <b>{t('ledgerDiffersBand')}</b>
            {first?.name
              ? t('placeOfFamily', { place: placeOf(found, t), name: first.name })
              : t('placeAlone', { place: placeOf(found, t) })}
            {closed.length > 0 && t('familiesReadOnly', { n: closed.length })}
          </div>
          <div className="band-action band-actions">
            {first && <Lift familyId={first.familyId} />}
            <Link className="button button-small" to="/ledger/audits">
              {t('lookAtDifference')}
            </Link>
          </div>
        </div>
      )}
    </div>
  );
}

/** The way out of the read-only state: to ask for its end, or the request that waits. */
function Lift({ familyId }: { familyId: number }) {
  const t = useMessages('operator');
  const { data: may } = useCan({ resource: 'requests', action: 'readOnly.lift' });
  const { data } = useEndpoint(listRequests, { state: 'open', kind: 'readOnly.lift', target: String(familyId) });
  const [waiting] = data?.rows ?? [];
  if (waiting)
    return (
      <Link className="button button-small" to={`/approvals/${waiting.id}`}>
        {t('liftWaits')}
      </Link>
    );
  if (!may?.can || !data) return null;
  return (
    <Link className="button button-small" to={`/ledger/audits?lift=${familyId}`}>
      {t('askLift')}
    </Link>
  );
}

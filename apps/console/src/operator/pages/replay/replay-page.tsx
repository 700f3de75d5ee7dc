import { getAccount } from '@yiqiao/contracts/operator/accounts';
import { Button } from 'antd';
import { useRef } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { grouped } from '../../../shared/amounts.js';
import { ApiError } from '../../../shared/api/api-error.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Empty } from '../../../shared/ui/empty.js';
import { Icon } from '../../../shared/ui/icon.js';
import { ExportProof } from '../../shared/export-proof.js';
import { LoadError } from '../../shared/states.js';
import { AccountHead } from './account-head.js';
import { AccountNow } from './account-now.js';
import { Announcement } from './announcement.js';
import { comparison, CopyAddress } from './addresses.js';
import { Controls } from './controls.js';
import { Events } from './events.js';
import { FamilyMachine } from './family-machine.js';
import { FindAccount } from './find-account.js';
import { Lanes } from './lanes.js';
import { NextSteps } from './next-steps.js';
import { Overview } from './overview.js';
import { usePlaying } from './playing.js';
import type { Account } from './proofs.js';
import { ReplayContext, useReplayOf } from './use-replay.js';
import { useMachineKeys } from './machine-keys.js';
import { actsOf } from './replay-keys.js';
import { WhyTrust } from './why-trust.js';
import './icons.js';
import './replay.css';

/** Any moment of an account, or of its family, from the entries that explain it. */
export default function ReplayPage() {
  const { userId = '' } = useParams();
  const { data, isError, error, refetch } = useEndpoint(getAccount, { userId });
  const [query] = useSearchParams();
  if (isError) return <NoAccount error={error} onReload={() => void refetch()} />;
  if (!data) return <Skeleton />;
  if (String(data.userId) !== userId) return <Skeleton />;
  if (query.get('scope') === 'family' && data.familySize > 1) return <FamilyMachine key={userId} account={data} />;
  return <AccountMachine key={userId} account={data} />;
}

function Skeleton() {
  const t = useMessages('replay');
  return (
    <div className="tm" role="status" aria-label={t('loading')}>
      <div className="skeleton tm-skeleton" />
    </div>
  );
}

function NoAccount({ error, onReload }: { error: unknown; onReload: () => void }) {
  const t = useMessages('replay');
  if (!(error instanceof ApiError && (error.code === 'NOT_FOUND' || error.status === 422)))
    return <LoadError error={error} onReload={onReload} />;
  return (
    <div className="tm">
      <div className="page-header">
        <div>
          <h1>{t('notFound')}</h1>
          <p className="page-header-note">{t('notFoundWhy')}</p>
        </div>
      </div>
      <FindAccount />
    </div>
  );
}

function AccountMachine({ account }: { account: Account }) {
  const t = useMessages('replay');
  const navigate = useNavigate();
  const replay = useReplayOf(account);
  const goTo = useRef<HTMLInputElement>(null);
  const { state, now, failed } = replay;
  const compare = (): void => void navigate(comparison(account.userId, state));
  usePlaying(replay);
  useMachineKeys(actsOf(replay, { compare, goTo: () => goTo.current?.focus() }));
  const resting =
    now?.seq === state.seq && !state.playing && now.moment !== null
      ? t('announce', { time: now.moment.slice(0, 19), n: grouped(now.seq), chars: grouped(now.charNum) })
      : null;
  const toFamily = (): void =>
    void navigate(`/ledger/replay/${account.userId}?scope=family${now?.entryId ? `&entry=${now.entryId}` : ''}`);
  return (
    <ReplayContext value={replay}>
      <div className="tm">
        <div className="page-header">
          <div>
            <h1>{t('title')}</h1>
            <p className="page-header-note">{t('lead')}</p>
          </div>
          <div className="page-header-actions">
            <span className="hide-s">
              <CopyAddress name="copyLink" />
            </span>
            <Button icon={<Icon name="swap" />} onClick={compare}>
              {t('compare')}
            </Button>
            {account.entries > 0 && (
              <ExportProof
                userId={account.userId}
                familyId={account.family[0]?.userId ?? account.userId}
                broken={state.brokenAt !== null}
                look="button-primary"
              />
            )}
          </div>
        </div>
        <AccountHead
          account={account}
          scope="account"
          to={(userId) => `/ledger/replay/${userId}`}
          onScope={(scope) => scope === 'family' && toFamily()}
          proofs={replay.proof && [replay.proof]}
        />
        {account.entries === 0 ? (
          <section className="card">
            <Empty title={t('noEntries')}>{t('noEntriesWhy')}</Empty>
          </section>
        ) : (
          <>
            <section className="card tm-machine" aria-label={t('title')}>
              <Controls goToField={goTo} />
              <Overview />
              <Lanes />
            </section>
            {failed && <LoadError error={failed.error} onReload={failed.again} />}
            <div className="tm-below">
              <div className="tm-events">
                <Events />
              </div>
              <div className="tm-side">
                <AccountNow />
                <WhyTrust />
                <NextSteps />
              </div>
            </div>
            <Announcement text={resting} />
          </>
        )}
      </div>
    </ReplayContext>
  );
}

import { getAccountState } from '@yiqiao/contracts/operator/accounts';
import { getFamilyState } from '@yiqiao/contracts/operator/families';
import { Button } from 'antd';
import { useMemo, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Icon } from '../../../shared/ui/icon.js';
import { call } from '../../shared/api/send.js';
import { LoadError } from '../../shared/states.js';
import { AccountHead } from './account-head.js';
import { comparison, CopyAddress } from './addresses.js';
import { Announcement } from './announcement.js';
import { Choices } from './controls.js';
import { QUANTITIES, type Quantity } from './differences.js';
import { useFamilyKeys, usePlayingOn, useRestingAddress, useWindow } from './family-hooks.js';
import { FamilyLanes } from './family-lanes.js';
import { MovesTable } from './family-moves.js';
import { useProofs, type Account } from './proofs.js';
import { useKept } from './use-replay.js';
import { lifeOf, usualZoom, wall, wire, ZOOMS, type Zoom } from './window.js';

const FOREVER = { staleTime: Number.POSITIVE_INFINITY };

/** The whole family at one moment. A step is a command: all its entries at once, so the sum is only seen after the whole of it. */
export function FamilyMachine({ account }: { account: Account }) {
  const t = useMessages('replay');
  const navigate = useNavigate();
  const [query, setQuery] = useSearchParams();
  const userId = String(account.userId);
  const [entry, setEntry] = useState<string | null>(query.get('entry'));
  const [quantity, setQuantity] = useState<Quantity>('charNum');
  const [playing, setPlaying] = useState(false);
  const at = query.get('at');
  const proofs = useProofs(account.family);
  const state = useEndpoint(
    getFamilyState,
    entry !== null ? { userId, entry } : at !== null ? { userId, at } : { userId },
    entry === null ? {} : FOREVER,
  );
  const now = useKept(state.data);
  const moment = now?.moment === undefined || now.moment === null ? null : wall(now.moment);
  const life = useMemo(() => (account.first && account.last ? lifeOf(account.first, account.last) : null), [account]);
  const chosen = ZOOMS.find((each) => each === query.get('zoom')) ?? null;
  const zoom = chosen ?? (life ? usualZoom(life) : 'week');
  const window = useWindow(moment, zoom, life);

  const go = (id: number | null | undefined): void => {
    if (id !== null && id !== undefined) setEntry(String(id));
  };
  useRestingAddress({ entry, zoom: chosen }, setQuery);
  usePlayingOn(playing, () => (now?.next ? go(now.next) : setPlaying(false)));
  useFamilyKeys({
    previous: () => go(now?.previous),
    next: () => go(now?.next),
    play: () => setPlaying(!playing && now?.next !== null),
    compare: () => void navigate(comparison(account.userId, { a: null, b: null, moment })),
  });

  const setZoom = (to: Zoom): void =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before);
        next.set('zoom', to);
        return next;
      },
      { replace: true },
    );
  const seek = async (time: number): Promise<void> => {
    const found = await call(getFamilyState, { userId, at: wire(time) });
    go(found.entryId);
  };
  const toAccount = async (): Promise<void> => {
    if (!now?.moment) return void (await navigate(`/ledger/replay/${userId}`));
    const { seq } = await call(getAccountState, { userId, at: now.moment.slice(0, 19) });
    await navigate(`/ledger/replay/${userId}?seq=${seq}`);
  };

  return (
    <div className="tm">
      <div className="page-header">
        <div>
          <h1>{t('title')}</h1>
          <p className="page-header-note">{t('leadFamily')}</p>
        </div>
        <div className="page-header-actions">
          <span className="hide-s">
            <CopyAddress name="copyLink" />
          </span>
          <Button
            icon={<Icon name="swap" />}
            onClick={() => void navigate(comparison(account.userId, { a: null, b: null, moment }))}
          >
            {t('compare')}
          </Button>
        </div>
      </div>
      <AccountHead
        account={account}
        scope="family"
        to={(id) => `/ledger/replay/${id}`}
        onScope={(scope) => scope === 'account' && void toAccount()}
        proofs={proofs}
      />
      {state.isError && <LoadError error={state.error} onReload={() => void state.refetch()} />}
      {now && (
        <section className="card tm-machine" aria-label={t('title')}>
          <div className="tmc">
            <div className="mom">
              {now.moment ? (
                <time dateTime={now.moment}>
                  {now.moment.slice(0, 19)}
                  <small>{now.moment.slice(19)}</small>
                </time>
              ) : (
                <span className="none">{t('before')}</span>
              )}
              <p className="num">{t('ofFamily', { n: grouped(now.entries), total: grouped(now.entriesTotal) })}</p>
            </div>
            <div className="tp" role="group" aria-label={t('playback')}>
              <button
                type="button"
                aria-label={t('previous')}
                disabled={now.previous === null}
                onClick={() => go(now.previous)}
              >
                <Icon name="stepBack" />
              </button>
              <button
                type="button"
                className="pl-b"
                aria-label={t(playing ? 'pause' : 'play')}
                disabled={now.next === null}
                onClick={() => setPlaying(!playing)}
              >
                <Icon name={playing ? 'pause' : 'play'} />
              </button>
              <button type="button" aria-label={t('next')} disabled={now.next === null} onClick={() => go(now.next)}>
                <Icon name="stepOn" />
              </button>
            </div>
            <span className="seg" role="group" aria-label={t('quantity')}>
              {QUANTITIES.map((each) => (
                <button
                  key={each}
                  type="button"
                  className={each === quantity ? 'on' : ''}
                  aria-pressed={each === quantity}
                  onClick={() => setQuantity(each)}
                >
                  {t(each)}
                </button>
              ))}
            </span>
            <div className="sp">
              <Choices label={t('zoom')} values={ZOOMS} chosen={zoom} name="zoom" onChoose={setZoom} />
            </div>
          </div>
          {window && moment !== null && (
            <FamilyLanes
              userId={userId}
              family={now}
              quantity={quantity}
              window={window}
              moment={moment}
              onSeek={(time) => void seek(time)}
            />
          )}
        </section>
      )}
      {now?.moment && <MovesTable userId={userId} at={now.moment.slice(0, 19)} />}
      <Announcement
        text={
          now?.moment && !playing
            ? t('announce', {
                time: now.moment.slice(0, 19),
                n: grouped(now.entries),
                chars: grouped(now.sum.charNum),
              })
            : null
        }
      />
    </div>
  );
}

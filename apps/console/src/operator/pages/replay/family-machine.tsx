import { getAccountState, getCommand } from '@yiqiao/contracts/operator/accounts';
import { getFamilyState } from '@yiqiao/contracts/operator/families';
import { Button } from 'antd';
import { useMemo, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Icon } from '../../../shared/ui/icon.js';
import { call } from '../../shared/api/send.js';
import { ExportProof } from '../../shared/export-proof.js';
import { LoadError } from '../../shared/states.js';
import { useRestingAddress } from '../../shared/resting-address.js';
import { AccountHead } from './account-head.js';
import { comparison, CopyAddress } from './addresses.js';
import { Announcement } from './announcement.js';
import { Choices, Step } from './controls.js';
import { QUANTITIES, type Quantity } from './differences.js';
import { usePlayingOn, useWindow } from './family-hooks.js';
import { FamilyLanes } from './family-lanes.js';
import { MovesTable } from './family-moves.js';
import { GoTo, type Destination } from './go-to.js';
import { useMachineKeys } from './machine-keys.js';
import { useProofs, type Account } from './proofs.js';
import { useKept } from './use-replay.js';
import { lifeOf, usualZoom, wall, wire, ZOOMS, type Zoom } from './window.js';

const DAY = 86_400_000;
const FOREVER = { staleTime: Number.POSITIVE_INFINITY };

const addressOf = ({ entry, zoom }: { entry: string; zoom: Zoom | null }): string =>
  String(new URLSearchParams({ scope: 'family', entry, ...(zoom === null ? {} : { zoom }) }));

/** The whole family at one moment. A step is a command: all its entries at once, so the sum is only seen after the whole of it. */
export function FamilyMachine({ account }: { account: Account }) {
  const t = useMessages('replay');
  const navigate = useNavigate();
  const [query, setQuery] = useSearchParams();
  const userId = String(account.userId);
  const [entry, setEntry] = useState<string | null>(query.get('entry'));
  const [quantity, setQuantity] = useState<Quantity>('charNum');
  const [playing, setPlaying] = useState(false);
  const [marks, setMarks] = useState<{ a: string | null; b: string | null }>({ a: null, b: null });
  const field = useRef<HTMLInputElement>(null);
  const at = query.get('at');
  const proofs = useProofs(account.family);
  const broken = proofs?.find(({ firstBreak }) => firstBreak !== null);
  const state = useEndpoint(
    getFamilyState,
    entry !== null ? { userId, entry } : at !== null ? { userId, at } : { userId },
    entry === null ? {} : FOREVER,
  );
  const now = useKept(state.data);
  const moment = now?.moment === undefined || now.moment === null ? null : wall(now.moment);
  const { familyFirst, familyLast } = account;
  const life = useMemo(
    () => (familyFirst && familyLast ? lifeOf(familyFirst, familyLast) : null),
    [familyFirst, familyLast],
  );
  const chosen = ZOOMS.find((each) => each === query.get('zoom')) ?? null;
  const zoom = chosen ?? (life ? usualZoom(life) : 'week');
  const window = useWindow(moment, zoom, life);

  const go = (id: number | null | undefined): void => {
    if (id !== null && id !== undefined) setEntry(String(id));
  };
  useRestingAddress(entry === null ? null : addressOf({ entry, zoom: chosen }), setQuery);
  usePlayingOn(playing, () => (now?.next ? go(now.next) : setPlaying(false)));
  const setZoom = (to: Zoom): void =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before);
        next.set('zoom', to);
        return next;
      },
      { replace: true },
    );
  const seek = async (time: number): Promise<number | null> => {
    const { entryId } = await call(getFamilyState, { userId, at: wire(time) });
    go(entryId);
    return entryId;
  };
  const toEnd = async (): Promise<void> => go((await call(getFamilyState, { userId })).entryId);
  const goTo = async (to: Destination): Promise<string | null> => {
    if ('seq' in to) return t('goToWrongFamily');
    if ('at' in to) return (await seek(wall(to.at))) === null ? t('before') : null;
    const [first] = (await call(getCommand, { cmdId: to.cmdId })).entries;
    if (first && account.family.some((member) => member.userId === first.userId)) go(first.entryId);
    else if (first) await navigate(`/ledger/replay/${first.userId}?seq=${first.seq}`);
    return null;
  };
  const compare = (): void => void navigate(comparison(account.userId, { ...marks, moment }));
  const step = (by: 1 | -1): void => go(by === 1 ? now?.next : now?.previous);
  const byDay = async (by: 1 | -1): Promise<void> => {
    if (moment === null || !now) return;
    const found = await call(getFamilyState, { userId, at: wire(moment + by * DAY) });
    // Without a command in that day: the next one in that direction.
    if (found.entryId === null || found.entryId === now.entryId) step(by);
    else go(found.entryId);
  };
  useMachineKeys({
    play: () => setPlaying(!playing && now?.next !== null),
    step,
    day: (by) => void byDay(by),
    first: () => life && void seek(wall(familyFirst ?? '')),
    last: () => void toEnd(),
    zoom: (by) => {
      const next = ZOOMS[ZOOMS.indexOf(zoom) + by];
      if (next) setZoom(next);
    },
    mark: (which) => moment !== null && setMarks({ ...marks, [which]: wire(moment) }),
    compare,
    goTo: () => field.current?.focus(),
  });
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
          <Button icon={<Icon name="swap" />} onClick={compare}>
            {t('compare')}
          </Button>
          <ExportProof
            userId={account.userId}
            familyId={account.family[0]?.userId ?? account.userId}
            broken={broken !== undefined}
            look="button-primary"
          />
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
              <Step
                name="first"
                icon="toStart"
                disabled={now.previous === null}
                onClick={() => void seek(wall(familyFirst ?? ''))}
              />
              <Step name="previous" icon="stepBack" disabled={now.previous === null} onClick={() => go(now.previous)} />
              <button
                type="button"
                className="pl-b"
                aria-label={t(playing ? 'pause' : 'play')}
                disabled={now.next === null}
                onClick={() => setPlaying(!playing)}
              >
                <Icon name={playing ? 'pause' : 'play'} />
              </button>
              <Step name="next" icon="stepOn" disabled={now.next === null} onClick={() => go(now.next)} />
              <Step name="last" icon="toEnd" disabled={now.next === null} onClick={() => void toEnd()} />
              <span className="tp-now num" aria-hidden="true">
                <b>{grouped(now.sum[quantity])}</b>
                {t('nEntries', { n: grouped(now.entries) })}
              </span>
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
            {broken?.firstBreak && (
              <p className="broken-note">
                <Link to={`/ledger/replay/${broken.userId}`}>
                  {t('brokenFamily', { name: broken.name, n: grouped(broken.firstBreak.seq) })}
                </Link>
              </p>
            )}
            <div className="sp">
              <Choices label={t('zoom')} values={ZOOMS} chosen={zoom} name="zoom" onChoose={setZoom} />
              <GoTo field={field} hint={t('goToHintFamily')} onGo={goTo} />
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

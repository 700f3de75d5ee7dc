import type { RefObject } from 'react';
import { useNavigate } from 'react-router';
import { getAccountState, getCommand } from '@yiqiao/contracts/operator/accounts';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';
import { call } from '../../shared/api/send.js';
import { GoTo, type Destination } from './go-to.js';
import { limitOf, SPEEDS } from './replay-store.js';
import { useReplay } from './use-replay.js';
import { ZOOMS } from './window.js';

/** The moment, and everything that moves it. */
export function Controls({ goToField }: { goToField: RefObject<HTMLInputElement | null> }) {
  const t = useMessages('replay');
  const { state, dispatch, account, now } = useReplay();
  const navigate = useNavigate();
  const { seq, playing, speed, zoom, brokenAt, beyond } = state;
  const limit = limitOf(state);
  const stopped = brokenAt !== null && !beyond && seq === limit;
  const [time, ms] = (now?.moment ?? '').split('.');
  const go = async (to: Destination): Promise<null> => {
    if ('seq' in to) dispatch({ do: 'went', seq: to.seq });
    else if ('at' in to) {
      const found = await call(getAccountState, { userId: String(account.userId), at: to.at });
      dispatch({ do: 'went', seq: found.seq });
    } else {
      const { entries } = await call(getCommand, { cmdId: to.cmdId });
      const own = entries.find(({ userId }) => userId === account.userId);
      if (own) dispatch({ do: 'went', seq: own.seq });
      else if (entries[0]) await navigate(`/ledger/replay/${entries[0].userId}?seq=${entries[0].seq}`);
    }
    return null;
  };
  return (
    <div className="tmc">
      <div className="mom">
        {now?.moment ? (
          <time dateTime={now.moment}>
            {time}
            <small>.{ms}</small>
          </time>
        ) : (
          <span className="none">{t('before')}</span>
        )}
        <p className="num">
          {stopped
            ? t('stopped', { n: grouped(seq) })
            : t('ofEntries', { n: grouped(seq ?? 0), total: grouped(account.entries) })}
          {account.archived > 0 && t('archived', { n: grouped(account.archived) })}
        </p>
      </div>
      <div className="tp" role="group" aria-label={t('playback')}>
        <Step
          name="first"
          icon="toStart"
          disabled={(seq ?? 0) <= Math.max(1, account.archived)}
          onClick={() => dispatch({ do: 'went', seq: 1 })}
        />
        <Step
          name="previous"
          icon="stepBack"
          disabled={(seq ?? 0) <= account.archived}
          onClick={() => dispatch({ do: 'stepped', by: -1 })}
        />
        <button
          type="button"
          className="pl-b"
          aria-label={t(playing ? 'pause' : 'play')}
          disabled={(seq ?? 0) >= limit}
          onClick={() => dispatch({ do: 'played', playing: !playing })}
        >
          <Icon name={playing ? 'pause' : 'play'} />
        </button>
        <Step
          name="next"
          icon="stepOn"
          disabled={(seq ?? 0) >= limit}
          onClick={() => dispatch({ do: 'stepped', by: 1 })}
        />
        <Step
          name="last"
          icon="toEnd"
          disabled={(seq ?? 0) >= limit}
          onClick={() => dispatch({ do: 'went', seq: limit })}
        />
        <span className="tp-now num" aria-hidden="true">
          <b>{now && grouped(now.charNum)}</b>#{grouped(seq ?? 0)}
        </span>
      </div>
      {brokenAt === null ? (
        <Choices
          label={t('speed')}
          className="hide-s"
          values={SPEEDS}
          chosen={speed}
          name="speed"
          onChoose={(value) => dispatch({ do: 'paced', speed: value })}
        />
      ) : (
        <p className="broken-note">
          {t('brokenNote', { n: grouped(brokenAt), rest: grouped(account.entries - brokenAt + 1) })}
        </p>
      )}
      <div className="sp">
        {stopped && (
          <button type="button" className="btn btn-d btn-sm" onClick={() => dispatch({ do: 'lookedBeyond' })}>
            <Icon name="eye" />
            {t('lookBeyond')}
          </button>
        )}
        <Choices
          label={t('zoom')}
          values={ZOOMS}
          chosen={zoom}
          name="zoom"
          onChoose={(value) => dispatch({ do: 'zoomed', zoom: value })}
        />
        <GoTo field={goToField} hint={t('goToHint')} onGo={go} />
      </div>
    </div>
  );
}

export function Step(props: {
  name: 'first' | 'previous' | 'next' | 'last';
  icon: 'toStart' | 'stepBack' | 'stepOn' | 'toEnd';
  disabled: boolean;
  onClick: () => void;
}) {
  const t = useMessages('replay');
  return (
    <button
      type="button"
      aria-label={t(props.name)}
      title={t(props.name)}
      disabled={props.disabled}
      onClick={props.onClick}
    >
      <Icon name={props.icon} />
    </button>
  );
}

type ChoicesProps<V extends string> = {
  label: string;
  name: 'speed' | 'zoom';
  values: readonly V[];
  chosen: V;
  onChoose: (value: V) => void;
  className?: string;
};

export function Choices<V extends 'entry' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'all'>({
  label,
  name,
  values,
  chosen,
  onChoose,
  className = '',
}: ChoicesProps<V>) {
  const t = useMessages('replay');
  return (
    <span className={`seg ${className}`} role="group" aria-label={label}>
      {values.map((value) => (
        <button
          key={value}
          type="button"
          className={value === chosen ? 'on' : ''}
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
        >
          {name === 'speed' ? t(`speed_${value}` as 'speed_hour') : t(`zoom_${value}` as 'zoom_hour')}
        </button>
      ))}
    </span>
  );
}

import { useId, useRef, useState, type FormEvent, type RefObject } from 'react';
import { useNavigate } from 'react-router';
import { getAccountState, getCommand } from '@yiqiao/contracts/operator/accounts';
import { grouped } from '../../../shared/amounts.js';
import { ApiError } from '../../../shared/api/api-error.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';
import { call } from '../../shared/api/send.js';
import { limitOf, SPEEDS } from './replay-store.js';
import { useReplay } from './use-replay.js';
import { ZOOMS } from './window.js';

type Destination = { at: string } | { seq: number } | { cmdId: string };

const DIGITS = /^#?([\d,]{1,18})$/;
const TIME = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(:\d{2})?)?$/;
const COMMAND = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** What somebody typed to go to: a number, a time (a day begins at midnight), a command. */
export function destinationOf(text: string): Destination | null {
  const typed = text.trim();
  const [, digits] = DIGITS.exec(typed) ?? [];
  if (digits !== undefined) return { seq: Number(digits.replaceAll(',', '')) };
  const [, day, minute = '00:00', second = ':00'] = TIME.exec(typed) ?? [];
  if (day !== undefined) return { at: `${day} ${minute}${second}` };
  return COMMAND.test(typed) ? { cmdId: typed.toLowerCase() } : null;
}

/** The moment, and everything that moves it. */
export function Controls({ goToField }: { goToField: RefObject<HTMLInputElement | null> }) {
  const t = useMessages('replay');
  const { state, dispatch, account, now } = useReplay();
  const { seq, playing, speed, zoom, brokenAt, beyond } = state;
  const limit = limitOf(state);
  const stopped = brokenAt !== null && !beyond && seq === limit;
  const [time, ms] = (now?.moment ?? '').split('.');
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
        </p>
      </div>
      <div className="tp" role="group" aria-label={t('playback')}>
        <Step name="first" icon="toStart" disabled={(seq ?? 0) <= 1} onClick={() => dispatch({ do: 'went', seq: 1 })} />
        <Step
          name="previous"
          icon="stepBack"
          disabled={(seq ?? 0) <= 0}
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
        <GoTo field={goToField} />
      </div>
    </div>
  );
}

function Step(props: {
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

function GoTo({ field }: { field: RefObject<HTMLInputElement | null> }) {
  const t = useMessages('replay');
  const { account, dispatch } = useReplay();
  const navigate = useNavigate();
  const [refusal, setRefusal] = useState<string | null>(null);
  const hint = useId();
  const asked = useRef(0);

  const go = async (to: Destination): Promise<void> => {
    if ('seq' in to) return dispatch({ do: 'went', seq: to.seq });
    if ('at' in to) {
      const { seq } = await call(getAccountState, { userId: String(account.userId), at: to.at });
      return dispatch({ do: 'went', seq });
    }
    const { entries } = await call(getCommand, { cmdId: to.cmdId });
    const own = entries.find(({ userId }) => userId === account.userId);
    if (own) return dispatch({ do: 'went', seq: own.seq });
    const [first] = entries;
    if (first) await navigate(`/ledger/replay/${first.userId}?seq=${first.seq}`);
  };

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const input = field.current;
    const to = destinationOf(input?.value ?? '');
    setRefusal(to ? null : t('goToWrong'));
    if (!to) return;
    const turn = ++asked.current;
    try {
      await go(to);
      if (turn !== asked.current || !input) return;
      input.value = '';
      input.blur();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setRefusal(error.code === 'NOT_FOUND' ? t('findNothing') : error.message);
    }
  };

  return (
    <form className="goto" onSubmit={(event) => void submit(event)}>
      <span className="inp sm">
        <Icon name="search" />
        <input
          ref={field}
          placeholder={t('goToHint')}
          aria-label={t('goTo')}
          aria-describedby={refusal === null ? undefined : hint}
          aria-invalid={refusal !== null}
          onChange={() => setRefusal(null)}
        />
        <kbd aria-hidden="true">{t('keyG')}</kbd>
      </span>
      {refusal !== null && (
        <p id={hint} className="refusal" role="alert">
          {refusal}
        </p>
      )}
    </form>
  );
}

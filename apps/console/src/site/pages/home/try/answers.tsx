import { CHANNEL_CODES, CHANNELS } from '@yiqiao/domain/channels';
import { useId, useState, type ReactNode } from 'react';
import { grouped, withDecimals } from '../../../../shared/amounts.js';
import { channelNameOf } from '../../../../shared/channel-name.js';
import { language } from '../../../../shared/i18n/language.js';
import { useMessages } from '../../../../shared/i18n/messages.js';
import type { Row, Tried } from './use-try.js';

/** Offered for comparison before the server has named its channels. */
const OTHERS = CHANNEL_CODES.map((code) => CHANNELS[code].id).filter((id) => id !== CHANNELS.offline.id);
const PREFERRED = CHANNELS.google.id;

const nameOf = ({ name, enName }: Row): string => (language === 'zh' ? name : enName);

const MICRO = 6;

/** The price of the sentence through a channel: characters and money, or that it is free. */
function Cost({ row: { charNum, microYuan, state } }: { row: Row }) {
  const t = useMessages('try');
  if (charNum === null || microYuan === null || state === 'failed') return null;
  const text =
    charNum === 0
      ? t('free')
      : t('cost', { n: grouped(charNum), yuan: withDecimals(microYuan, { places: MICRO, least: 2 }) });
  return <span className="try-cost numeric">{text}</span>;
}

function Answer({ row, target }: { row: Row; target: string }) {
  const t = useMessages('try');
  const { state, translated, quality, warning } = row;
  if (state !== 'answered')
    return (
      <>
        <p className="muted">{t(`state_${state}`)}</p>
        <Cost row={row} />
      </>
    );
  const isGloss = quality === 'gloss';
  return (
    <>
      <p className={isGloss ? 'try-text gloss' : 'try-text'} lang={target}>
        {translated}
      </p>
      <p className="try-marks">
        <span className={isGloss ? 'badge decrease' : 'badge transfer'}>{t(isGloss ? 'gloss' : 'translation')}</span>
        <Cost row={row} />
      </p>
      {(isGloss || warning !== null) && <p className="try-note">{isGloss ? t('glossNote') : warning}</p>}
    </>
  );
}

function Waiting({ text }: { text: string | null }) {
  if (text !== null) return <p className="faint">{text}</p>;
  return (
    <span className="try-skeleton" aria-hidden="true">
      <span className="skeleton" />
      <span className="skeleton" />
    </span>
  );
}

/** `waiting`: shown before the first answer. */
type ColumnProps = { head: ReactNode; row: Row | undefined; target: string; busy: boolean; waiting: string };

function Column({ head, row, target, busy, waiting }: ColumnProps) {
  return (
    <div className="try-column">
      {head}
      {row && !busy ? <Answer row={row} target={target} /> : <Waiting text={busy ? null : waiting} />}
    </div>
  );
}

/** The row to compare with until the visitor picks one: another answer, else a channel that members can use. */
const firstOf = (rows: readonly Row[]): Row | undefined =>
  rows.find(({ state }) => state === 'answered') ??
  rows.find(({ channelId, state }) => channelId === PREFERRED && state === 'signIn') ??
  rows.find(({ state }) => state === 'signIn') ??
  rows.find(({ channelId }) => channelId === PREFERRED) ??
  rows[0];

/** Two channels side by side: the first one allowed, and one of the visitor's choice. `tried`: null before the first answer. */
export function Answers({ tried, busy }: { tried: Tried | null; busy: boolean }) {
  const t = useMessages('try');
  const id = useId();
  const [picked, setPicked] = useState<number | null>(null);
  const [first, ...others] = tried?.channels ?? [];
  const second = others.find(({ channelId }) => channelId === picked) ?? firstOf(others);
  const choices = tried
    ? others.map((row) => ({ id: row.channelId, name: nameOf(row) }))
    : OTHERS.map((channel) => ({ id: channel, name: channelNameOf(channel) ?? '' }));
  const target = tried?.target ?? '';
  return (
    <div className="try-answers" aria-busy={busy}>
      <Column
        head={<h3 className="dynamic-text">{first ? nameOf(first) : channelNameOf(CHANNELS.offline.id)}</h3>}
        row={first}
        target={target}
        busy={busy}
        waiting={t('waiting')}
      />
      <Column
        head={
          <select
            id={id}
            className="try-select"
            aria-label={t('compareWith')}
            value={second?.channelId ?? picked ?? PREFERRED}
            onChange={({ target: { value } }) => setPicked(Number(value))}
          >
            {choices.map((choice) => (
              <option key={choice.id} value={choice.id}>
                {choice.name}
              </option>
            ))}
          </select>
        }
        row={second}
        target={target}
        busy={busy}
        waiting={t('waitingOther')}
      />
    </div>
  );
}

/** What a screen reader announces of an answer. */
export function useAnnouncement(tried: Tried | null): string {
  const t = useMessages('try');
  const answered = tried?.channels.filter(({ state }) => state === 'answered') ?? [];
  if (tried && answered.length === 0) return t('state_failed');
  return answered
    .map((row) =>
      t('announced', {
        channel: nameOf(row),
        kind: t(row.quality === 'gloss' ? 'gloss' : 'translation'),
        text: row.translated ?? '',
      }),
    )
    .join(' ');
}

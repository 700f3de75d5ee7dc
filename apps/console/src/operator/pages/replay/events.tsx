import { type checkProof, ENTRY_FILTERS, listEntries } from '@yiqiao/contracts/operator/accounts';
import { changeTagOf } from '@yiqiao/contracts/account-log';
import { CHANGE_TAGS } from '@yiqiao/domain/explanations';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { CLIENT_TYPES } from '@yiqiao/domain/members';
import type { Response } from '@yiqiao/contracts/endpoint';
import { Fragment, useState } from 'react';
import { grouped, signed } from '../../../shared/amounts.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Icon } from '../../../shared/ui/icon.js';
import { BreakDetails, CauseDetails } from './cause-details.js';
import { headWords } from './lanes.js';
import type { EntryRow } from './steps.js';
import { useKept, useReplay } from './use-replay.js';

type Filter = (typeof ENTRY_FILTERS)[number];
type Break = NonNullable<Response<typeof checkProof>['firstBreak']>;

/** Rows of the future above the moment, and rows of the past below it. */
const AHEAD = 2;
const PAGE = 12;
const MOST = 500;

/** The entries around the moment, newest first. Balances chain from row to row. */
export function Events() {
  const t = useMessages('replay');
  const { state, account, dispatch, proof } = useReplay();
  const [only, setOnly] = useState<Filter | null>(null);
  const [pages, setPages] = useState(1);
  const { seq, brokenAt } = state;
  const top = Math.min(account.entries, (seq ?? 0) + AHEAD + (brokenAt !== null && seq === brokenAt - 1 ? 2 : 0));
  const limit = Math.min(MOST, PAGE * pages);
  const { data } = useEndpoint(
    listEntries,
    {
      userId: String(account.userId),
      toSeq: String(top),
      limit: String(limit),
      ...(only ? { only } : {}),
    },
    { enabled: seq !== null, staleTime: Number.POSITIVE_INFINITY },
  );
  const answer = useKept(data);
  const rows = answer?.rows ?? [];
  const oldest = answer?.oldestSeq ?? 1;
  const firstPast = rows.find((row) => row.seq <= (seq ?? 0))?.seq;
  return (
    <section className="card">
      <div className="ct">
        <h2>{t('events')}</h2>
        <div className="chips" role="group" aria-label={t('filterEvents')}>
          {([null, ...ENTRY_FILTERS] as const).map((each) => (
            <button
              key={each ?? 'all'}
              type="button"
              className={only === each ? 'on' : ''}
              aria-pressed={only === each}
              onClick={() => {
                setOnly(each);
                setPages(1);
              }}
            >
              {each === 'operator' && <Icon name="stamp" />}
              {t(`only_${each ?? 'all'}`)}
            </button>
          ))}
        </div>
      </div>
      <div className="strm" role="table" aria-label={t('events')}>
        <div role="row" className="vh">
          {COLUMNS.map((name) => (
            <span key={name} role="columnheader">
              {t(name)}
            </span>
          ))}
        </div>
        {rows.map((row) => (
          <Fragment key={row.id}>
            {row.seq === brokenAt && row.seq > (seq ?? 0) && (
              <div className="nowl bad" aria-hidden="true">
                {t('cannotTestify')}
              </div>
            )}
            {row.seq === firstPast && brokenAt !== null && row.seq === brokenAt - 1 && (
              <div className="nowl" aria-hidden="true">
                {t('testified')}
              </div>
            )}
            {row.seq === seq && row.seq < account.entries && (brokenAt === null || row.seq < brokenAt - 1) && (
              <div className="nowl" aria-hidden="true">
                {t('thisMoment')}
              </div>
            )}
            <EventRow
              row={row}
              place={placeOf(row.seq, { seq: seq ?? 0, brokenAt })}
              after={rows.find((other) => other.seq === row.seq + 1)}
              broken={row.seq === brokenAt ? (proof?.firstBreak ?? null) : null}
              onOpen={() => dispatch({ do: 'went', seq: row.seq })}
            />
          </Fragment>
        ))}
      </div>
      {answer && rows.length === 0 && <p className="none-found">{t('noEvents')}</p>}
      {answer && (
        <div className="more">
          <span className="faint num">
            {rows.length > 0 &&
              t('shownEntries', { from: grouped(rows.at(-1)?.seq ?? 1), to: grouped(rows[0]?.seq ?? 1) })}
            {only !== null && rows.length < limit && ` · ${t('searched', { n: grouped(oldest) })}`}
          </span>
          {oldest > 1 && (limit < MOST || rows.length < limit) && (
            <button
              type="button"
              className="lk"
              onClick={() => (rows.length < limit ? dispatch({ do: 'went', seq: oldest - 1 }) : setPages(pages + 1))}
            >
              {t('earlier')}
              <Icon name="down" />
            </button>
          )}
        </div>
      )}
    </section>
  );
}

type Place = 'past' | 'now' | 'future' | 'broken' | 'untrusted';

function placeOf(row: number, { seq, brokenAt }: { seq: number; brokenAt: number | null }): Place {
  if (brokenAt !== null && row === brokenAt) return 'broken';
  if (brokenAt !== null && row > brokenAt) return 'untrusted';
  if (row === seq) return 'now';
  return row > seq ? 'future' : 'past';
}

const CLASSES: Record<Place, string> = { past: '', now: 'now', future: 'fu', broken: 'bad', untrusted: 'un' };
const MARKS = { past: 'link', now: 'link', future: 'link', broken: 'broken', untrusted: 'unknown' } as const;

/** A sign, a word and a colour. */
const TAGS = {
  add: { look: 'inc', icon: 'add' },
  decrease: { look: 'dec', icon: 'less' },
  transfer: { look: 'mov', icon: 'swap' },
  none: { look: 'mov', icon: 'info' },
} as const satisfies Record<ReturnType<typeof changeTagOf>, object>;

const COLUMNS = ['time', 'kind', 'cause', 'change', 'beforeAfter', 'chain'] as const;

type EventRowProps = {
  row: EntryRow;
  place: Place;
  after: EntryRow | undefined;
  broken: Break | null;
  onOpen: () => void;
};

function EventRow({ row, place, after, broken, onOpen }: EventRowProps) {
  const t = useMessages('replay');
  const tag = changeTagOf(row);
  const isHand = row.hand === 'operator';
  return (
    <div
      className={`ev ${CLASSES[place]} ${isHand ? 'hd' : ''}`}
      role="row"
      data-row
      aria-current={place === 'now' ? 'true' : undefined}
    >
      <div className="row">
        <span className="q" role="cell">
          {/* Covers the whole row. */}
          <button type="button" className="pick" onClick={onOpen}>
            <b>{row.createDateTime.slice(11)}</b>#{grouped(row.seq)}
          </button>
        </span>
        <span className="tg" role="cell">
          <span className={`tag ${TAGS[tag].look}`}>
            <Icon name={TAGS[tag].icon} />
            {CHANGE_TAGS[tag][language]}
          </span>
        </span>
        <span className="w" role="cell">
          <b title={row.words}>{headWords(row)}</b>
          <small>
            <Hands row={row} />
          </small>
        </span>
        <Change row={row} />
        <span className="ck-cell" role="cell" title={t(`chain_${place}`)}>
          <Icon name={MARKS[place]} className={place === 'broken' ? 'ck b' : 'ck'} />
          <span className="vh">{t(`chain_${place}`)}</span>
        </span>
      </div>
      {place === 'now' && (
        <div role="cell">
          <CauseDetails row={row} />
        </div>
      )}
      {broken && (
        <div role="cell">
          <BreakDetails row={row} after={after} broken={broken} />
        </div>
      )}
    </div>
  );
}

/** Its type, whose hand it was, and how. */
function Hands({ row }: { row: EntryRow }) {
  const t = useMessages('replay');
  const { account } = useReplay();
  const type = ENTRY_TYPES[row.logType][language];
  // The main account's own use is its own.
  const hand = row.hand === 'main' && account.role === 'main' ? 'member' : row.hand;
  const who = t(`hand_${hand}`, { name: hand === 'operator' ? (row.managerName ?? '') : account.name });
  const how =
    row.clientType === null
      ? row.logType === 'DISTRIBUTION' && row.hand === 'system'
        ? t('automatic')
        : null
      : CLIENT_TYPES[row.clientType][language];
  return <>{[type, who, how].filter((part) => part !== null).join(' · ')}</>;
}

/** What changed most visibly: characters, else images, else voice; with the balance before and after. */
function Change({ row }: { row: EntryRow }) {
  const t = useMessages('replay');
  const [change, before, last, unit] =
    row.charChangeNum === 0 && row.imageChangeNum !== 0
      ? [row.imageChangeNum, row.beforeImageNum, row.lastImageNum, t('sheets')]
      : row.charChangeNum === 0 && row.voiceChangeNum !== 0
        ? [row.voiceChangeNum, row.beforeVoiceNum, row.lastVoiceNum, t('times_voice')]
        : [row.charChangeNum, row.beforeCharNum, row.lastCharNum, t('unitChars')];
  return (
    <>
      <span className="am" role="cell">
        <span className={change < 0 ? 'sg d' : 'sg'}>
          {signed(change)} {unit}
        </span>
      </span>
      <span className="bb" role="cell">
        <BeforeAfter before={before} after={last} />
      </span>
    </>
  );
}

/** Before in grey, after in ink. */
export function BeforeAfter({ before, after }: { before: number; after: number }) {
  return (
    <span className="ba num">
      <span>{grouped(before)}</span>
      <Icon name="forward" />
      <span>{grouped(after)}</span>
    </span>
  );
}

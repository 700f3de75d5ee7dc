import type { Response } from '@yiqiao/contracts/endpoint';
import {
  exportTranslationLogs,
  FREE_REASONS,
  TRANSLATION_KINDS,
  totalTranslationLogs,
  type listTranslationLogs,
} from '@yiqiao/contracts/translation';
import { CLIENT_TYPES } from '@yiqiao/domain/members';
import { Link } from 'react-router';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import { channelNameOf } from '../../../shared/channel-name.js';
import { useLanguages } from '../../shared/use-languages.js';
import { LogPage, LogTime } from '../../shared/logs/log-page.js';
import { LogTotals, NoTotals, type TotalsOf, useTotals } from '../../shared/logs/log-totals.js';
import { Icon } from '../../../shared/ui/icon.js';
import './translation-log.css';

type Row = Response<typeof listTranslationLogs>['rows'][number];

const ICONS = { text: 'translate', voice: 'mic', image: 'image' } as const;
const CHARGED = { text: 'chargedText', voice: 'chargedVoice', image: 'chargedImage' } as const;

/** Voice and images always cost their own unit, whatever the account pays texts by. */
const MODES = { text: null, voice: 'voiceMode', image: 'imageMode' } as const;

function Direction({ row, languageName }: { row: Row; languageName: (code: string) => string }) {
  return (
    <span className="tl-dir">
      {languageName(row.sourceLangCode)}
      <Icon name="forward" />
      {languageName(row.targetLangCode)}
    </span>
  );
}

function Charged({ row }: { row: Row }) {
  const t = useMessages('translation-log');
  if (row.status === 'failed') return <span className="faint">{t('notCharged')}</span>;
  if (row.charged > 0)
    return <span className="numeric tl-charged">{t(CHARGED[row.kind], { n: grouped(row.charged) })}</span>;
  return (
    <span className="tl-source faint">
      {t('free')}
      {row.free !== null && <small>{FREE_REASONS[row.free][language]}</small>}
    </span>
  );
}

/** The kind of translation, and the number of characters of a text. */
function Content({ row }: { row: Row }) {
  const t = useMessages('translation-log');
  return (
    <span className="tl-kind">
      <Icon name={ICONS[row.kind]} />
      {TRANSLATION_KINDS[row.kind][language]}
      {row.kind === 'text' && <small className="numeric">{t('words', { n: grouped(row.wordCount) })}</small>}
    </span>
  );
}

function Status({ status }: { status: Row['status'] }) {
  const t = useMessages('translation-log');
  return (
    <span className={status === 'ok' ? 'badge increase' : 'badge danger'}>
      <Icon name={status === 'ok' ? 'check' : 'alert'} />
      {t(status)}
    </span>
  );
}

/** The address, the client, and the key of the member's own software. */
function Source({ row: { ip, clientType, apiKey } }: { row: Row }) {
  const client = CLIENT_TYPES[clientType][language];
  return (
    <span className="tl-source">
      <span className="numeric">{ip}</span>
      <small>
        {apiKey ? (
          <>
            {client} · <span className="dynamic-text">{apiKey.name}</span>
          </>
        ) : (
          client
        )}
      </small>
    </span>
  );
}

type Sums = NonNullable<Response<typeof totalTranslationLogs>['channels']>[number];
const KINDS = ['text', 'voice', 'image'] as const;

/** How many translations there were and what they cost, in the filter and by channel. */
function Totals(of: TotalsOf) {
  const t = useMessages('translation-log');
  const query = useTotals(totalTranslationLogs, of);
  const { data } = query;
  if (!data) return <NoTotals {...query} />;
  const sumsOf = (rows: readonly Sums[]): string[] => {
    const sum = (name: 'times' | 'failed' | 'charged', among = rows): number =>
      among.reduce((all, row) => all + row[name], 0);
    const charged = KINDS.flatMap((kind) => {
      const n = sum(
        'charged',
        rows.filter((row) => row.kind === kind),
      );
      return n === 0 ? [] : [t(CHARGED[kind], { n: grouped(n) })];
    });
    const failed = sum('failed');
    return [
      t('times', { n: grouped(sum('times')) }),
      ...charged,
      ...(failed === 0 ? [] : [t('timesFailed', { n: grouped(failed) })]),
    ];
  };
  const byChannel = Map.groupBy(data.channels ?? [], ({ tranChannelId }) => tranChannelId);
  return (
    <LogTotals
      total={data.total}
      all={sumsOf(data.channels ?? [])}
      channels={
        data.channels === null
          ? undefined
          : Array.from(byChannel, ([id, rows]) => ({
              name: channelNameOf(id) ?? t('unknownChannel', { id }),
              sums: sumsOf(rows),
            }))
      }
    />
  );
}

/** /UserCenterChangeTranslateLog: what was translated, without the text (specification §2, §3). */
export default function TranslationLogPage() {
  const t = useMessages('translation-log');
  const { nameOf } = useLanguages();
  return (
    <LogPage<Row>
      title={t('title')}
      note={t('note')}
      resource="translationLogs"
      timeField="createDateTime"
      file={exportTranslationLogs}
      totals={(of) => <Totals {...of} />}
      columns={[
        { key: 'time', title: t('time'), rowScope: 'row', render: (_, row) => <LogTime at={row.createDateTime} /> },
        {
          key: 'direction',
          title: t('direction'),
          render: (_, row) => <Direction row={row} languageName={nameOf} />,
        },
        { key: 'content', title: t('content'), render: (_, row) => <Content row={row} /> },
        { key: 'charged', title: t('charged'), render: (_, row) => <Charged row={row} /> },
        {
          key: 'mode',
          title: t('mode'),
          render: (_, row) => t(MODES[row.kind] ?? (row.translationBillingMode === 'time' ? 'timeMode' : 'char')),
        },
        {
          key: 'channel',
          title: t('channel'),
          render: (_, row) => channelNameOf(row.tranChannelId) ?? t('unknownChannel', { id: row.tranChannelId }),
        },
        {
          key: 'source',
          title: t('source'),
          render: (_, row) => <Source row={row} />,
        },
        { key: 'status', title: t('status'), render: (_, row) => <Status status={row.status} /> },
      ]}
      empty={{
        title: t('emptyTitle'),
        why: t('emptyWhy'),
        action: (
          <Link className="button button-primary" to="/UserCenterChangeTranslateTest">
            {t('emptyAction')}
          </Link>
        ),
      }}
    />
  );
}

import type { listPublicCloses } from '@yiqiao/contracts/closes';
import { useState } from 'react';
import { grouped } from '../../../shared/amounts.js';
import { callRoute } from '../../../shared/api/call.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { ErrorState } from '../../../shared/ui/error-state.js';
import { useLoaded } from '../../shared/use-loaded.js';
import { type Close, type Verdict, verifyList } from './verify-list.js';
import './ledger-proof.css';

// Only method and path: importing the endpoint would add every contract's schema to the bundle.
const READ = { method: 'GET', path: '/ledger/closes' } as const satisfies Pick<
  typeof listPublicCloses,
  'method' | 'path'
>;
const PAGE = 50;

type Page = { rows: readonly Close[]; total: number };

const read = (pageNum: number, signal?: AbortSignal): Promise<Page> =>
  callRoute<typeof listPublicCloses>(
    READ,
    { pageNum: String(pageNum), pageSize: String(PAGE) },
    signal ? { signal } : {},
  );
const first = (signal: AbortSignal): Promise<Page> => read(1, signal);

const WHY = { signature: 'whySignature', hash: 'whyHash', previous: 'whyPrevious' } as const;

/** The answer of the verification, read out when it comes. */
function Result({ verdict }: { verdict: Verdict | null }) {
  const t = useMessages('ledger-proof');
  return (
    <div role="status">
      {verdict && (
        <p className={`proof-verdict ${verdict.kind}`}>
          {verdict.kind === 'whole' && t('whole', { n: verdict.closes })}
          {verdict.kind === 'broken' && t('broken', { date: verdict.date, why: t(WHY[verdict.why]) })}
          {verdict.kind === 'unable' && t('unable')}
        </p>
      )}
    </div>
  );
}

function Row({ close }: { close: Close }) {
  const t = useMessages('ledger-proof');
  const hashes = ['root', 'previous', 'signature'] as const;
  return (
    <li>
      <h3 className="numeric">
        <time dateTime={close.date}>{close.date}</time>
      </h3>
      <dl className="numeric">
        <dt>{t('entries')}</dt>
        <dd>{grouped(close.entries)}</dd>
        <dt>{t('accounts')}</dt>
        <dd>{grouped(close.accounts)}</dd>
        {hashes.map((name) => (
          <Hash key={name} name={t(name)} value={close[name]} />
        ))}
        <Hash name={t('key')} value={close.publicKey} />
      </dl>
    </li>
  );
}

const Hash = ({ name, value }: { name: string; value: string }) => (
  <>
    <dt>{name}</dt>
    <dd>
      <code>{value}</code>
    </dd>
  </>
);

/** The closes, and what can be done with them. */
function Closes({ page }: { page: Page }) {
  const t = useMessages('ledger-proof');
  const [older, setOlder] = useState<readonly Close[]>([]);
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [busy, setBusy] = useState<'verify' | 'more' | null>(null);
  const [failed, setFailed] = useState(false);
  const closes = [...page.rows, ...older];
  if (closes.length === 0) return <p className="proof-lead">{t('none')}</p>;
  const run = (what: 'verify' | 'more', work: () => Promise<void>): void => {
    setBusy(what);
    setFailed(false);
    work().then(
      () => setBusy(null),
      () => {
        setBusy(null);
        setFailed(true);
      },
    );
  };
  const verify = (): void => run('verify', async () => setVerdict(await verifyList(closes)));
  const more = (): void =>
    run('more', async () => {
      const { rows } = await read(closes.length / PAGE + 1);
      setOlder([...older, ...rows]);
      setVerdict(null);
    });
  const file = `data:application/json;charset=utf-8,${encodeURIComponent(JSON.stringify(closes, null, 1))}`;
  return (
    <>
      <div className="proof-tools">
        <button type="button" className="button button-primary" onClick={verify} disabled={busy !== null}>
          {t(busy === 'verify' ? 'verifying' : 'verify')}
        </button>
        <a className="button button-default" href={file} download="yiqiao-closes.json">
          {t('download')}
        </a>
      </div>
      <Result verdict={verdict} />
      <ol className="proof-list">
        {closes.map((close) => (
          <Row key={close.number} close={close} />
        ))}
      </ol>
      {failed && <p role="alert">{t('failed')}</p>}
      {closes.length < page.total && (
        <button type="button" className="button button-default" onClick={more} disabled={busy !== null}>
          {t('more')}
        </button>
      )}
    </>
  );
}

/** /ledger-proof: the signed daily closes (operators §7). The explanation is prerendered; the list comes from the API. */
export default function LedgerProofPage() {
  const t = useMessages('ledger-proof');
  const shared = useMessages('shared');
  const { loaded, reload } = useLoaded(first);
  return (
    <div className="page-width proof">
      <h1>{t('title')}</h1>
      <p className="muted proof-lead">{t('lead')}</p>
      <h2>{t('list')}</h2>
      <p className="proof-no-script">{t('noScript')}</p>
      {loaded.state === 'loading' && (
        <div role="status" className="proof-wait">
          <span className="visually-hidden">{shared('loading')}</span>
          <i className="skeleton" aria-hidden="true" />
        </div>
      )}
      {loaded.state === 'failed' && (
        <ErrorState title={t('failed')} onReload={reload}>
          {loaded.why}
        </ErrorState>
      )}
      {loaded.state === 'ready' && <Closes page={loaded.value} />}
      <h2>{t('how')}</h2>
      <p className="muted proof-lead">{t('howText')}</p>
      <p className="muted proof-lead">{t('howChain')}</p>
    </div>
  );
}

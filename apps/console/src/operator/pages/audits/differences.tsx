import { Link } from 'react-router';
import { copyText } from '../../../shared/clipboard.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Card } from '../../../shared/ui/card.js';
import { Icon } from '../../../shared/ui/icon.js';
import { DifferenceFacts } from './difference-facts.js';
import { type Difference, type Run, useRunWords } from './run-words.js';

/** The entry in the time machine, which breaks the chain there. */
const replayOf = ({ account, seq }: Difference): string =>
  `/ledger/replay/${account}${seq === null ? '' : `?seq=${seq}`}`;

const reportOf = (run: Run): string =>
  [
    `audit ${run.id} · ${run.startedAt ?? ''} – ${run.finishedAt ?? ''} · ${run.entries} / ${run.total}`,
    ...run.differences.flatMap((each) =>
      [each, ...each.consequences].map(
        ({ account, seq, what, expected, found }, i) =>
          `${i > 0 ? '  ' : ''}${account}#${seq ?? ''} ${what}: expected ${expected}, found ${found}`,
      ),
    ),
  ].join('\n');

/** What the audit calls the counters that caps are checked against. */
const CAP_COUNTER = 'cap counter';

/** The first difference, opened. */
export function FirstDifference({ run }: { run: Run }) {
  const t = useMessages('audits');
  const { where } = useRunWords();
  const [first] = run.differences;
  if (!first) return null;
  const place = where(first);
  const isHash = first.what === 'hash';
  return (
    <section className="audit-difference" role="alert">
      <header>
        <Icon name="broken" />
        <h2>
          {run.differenceCount === 1
            ? t('firstOnly', { where: place })
            : t('firstOf', { where: place, n: run.differenceCount })}
        </h2>
        <div className="audit-difference-actions">
          {first.account > 0 && (
            <Link className="button button-default button-small" to={replayOf(first)}>
              <Icon name="history" />
              {t('openReplay')}
            </Link>
          )}
          <button
            type="button"
            className="button button-default button-small"
            onClick={({ currentTarget }) => void copyText(reportOf(run), currentTarget)}
          >
            <Icon name="copy" />
            {t('copyReport')}
          </button>
        </div>
      </header>
      {!isHash && <p className="audit-difference-what mono">{first.what}</p>}
      {first.what.startsWith(CAP_COUNTER) && <p className="muted">{t('capCounter')}</p>}
      <dl className="audit-difference-sides">
        <div>
          <dt>{t(isHash ? 'expectedHash' : 'expected')}</dt>
          <dd className="mono">{first.expected}</dd>
        </div>
        <div>
          <dt>{t(isHash ? 'foundHash' : 'found')}</dt>
          <dd className="mono audit-bad">{first.found}</dd>
        </div>
      </dl>
      {first.account > 0 && <DifferenceFacts difference={first} run={run} />}
      <Consequences of={first} />
    </section>
  );
}

function Consequences({ of: { consequences } }: { of: Difference }) {
  const t = useMessages('audits');
  const { where } = useRunWords();
  if (consequences.length === 0) return null;
  return (
    <details className="audit-consequences">
      <summary>{t('consequences', { n: consequences.length })}</summary>
      <ul>
        {consequences.map((each, i) => (
          <li key={i}>
            {where(each)} · <span className="mono">{each.what}</span> · {t('expected')}{' '}
            <span className="mono">{each.expected}</span> · {t('found')}{' '}
            <span className="mono audit-bad">{each.found}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Every difference of a run with more than one. */
export function DifferenceTable({ run: { differences } }: { run: Run }) {
  const t = useMessages('audits');
  const { where } = useRunWords();
  if (differences.length < 2) return null;
  return (
    <Card title={t('allDifferences')}>
      <div className="table-scroll">
        <table className="audit-table">
          <thead>
            <tr>
              <th scope="col">{t('where')}</th>
              <th scope="col">{t('family')}</th>
              <th scope="col">{t('what')}</th>
              <th scope="col">{t('expected')}</th>
              <th scope="col">{t('found')}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map((each, i) => (
              <tr key={i}>
                <th scope="row" className="numeric">
                  {each.account > 0 ? <Link to={replayOf(each)}>{where(each)}</Link> : where(each)}
                  {each.consequences.length > 0 && <small>{t('consequences', { n: each.consequences.length })}</small>}
                </th>
                <td className="numeric">{each.family ?? ''}</td>
                <td className="mono">{each.what}</td>
                <td className="mono">{each.expected}</td>
                <td className="mono audit-bad">{each.found}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

import { getLedgerStatus } from '@yiqiao/contracts/operator/audits';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { StateIllustration } from '../../../shared/ui/empty.js';
import { Loaded } from '../../shared/states.js';
import { useAge } from '../../shared/age.js';

/** The last proof of the whole ledger. Blank where nothing is known. */
export function LedgerCard() {
  const t = useMessages('today');
  const age = useAge();
  const query = useEndpoint(getLedgerStatus, {});
  return (
    <section className="card ledger-card">
      <Loaded query={query} rows={6}>
        {({ last, running, readOnly }) => {
          const different = last?.state === 'different' || readOnly.length > 0;
          return (
            <>
              <StateIllustration state={different ? 'broken' : 'empty'} />
              <h2>{t(different ? 'ledgerDifferent' : last ? 'ledgerWhole' : 'ledgerNone')}</h2>
              {last && (
                <p className="muted numeric">
                  {t('provenAt', { time: last.finishedAt?.slice(5, 16) ?? '', n: grouped(last.entries) })}
                </p>
              )}
              <dl className="facts">
                {last && (
                  <>
                    <div>
                      <dt>{t('accounts')}</dt>
                      <dd>
                        {grouped(last.accounts)} / {grouped(last.families)}
                      </dd>
                    </div>
                    <div>
                      <dt>{t('took')}</dt>
                      <dd>{age(Math.max(1, Math.round(last.seconds)))}</dd>
                    </div>
                    <div>
                      <dt>{t('differences')}</dt>
                      <dd className={last.differenceCount > 0 ? 'bad-text' : 'ok-text'}>
                        {grouped(last.differenceCount)}
                      </dd>
                    </div>
                  </>
                )}
                {readOnly.length > 0 && (
                  <div>
                    <dt>{t('readOnlyFamilies')}</dt>
                    <dd className="bad-text">{grouped(readOnly.length)}</dd>
                  </div>
                )}
                {running && (
                  <div>
                    <dt>{t('ledgerRunning')}</dt>
                    <dd>
                      {grouped(running.entries)} / {grouped(running.total)}
                    </dd>
                  </div>
                )}
              </dl>
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

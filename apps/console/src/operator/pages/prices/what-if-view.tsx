import { Button } from 'antd';
import { grouped, signed } from '../../../shared/amounts.js';
import { Card } from '../../../shared/ui/card.js';
import { Icon } from '../../../shared/ui/icon.js';
import { LoadError, Loaded } from '../../shared/states.js';
import { type Change, isReplayed, type Prices, wasReplayed } from './draft.js';
import { usePriceWords } from './price-words.js';
import { isUnderWay, type useWhatIf, type useWhatIfCommands, type WhatIf } from './use-what-if.js';
import { WhatIfResult } from './what-if-result.js';

type ViewProps = {
  prices: Prices;
  /** The draft, which the run may not be about. */
  changes: readonly Change[];
  query: ReturnType<typeof useWhatIf>;
  commands: ReturnType<typeof useWhatIfCommands>;
  onClose: () => void;
};

/** A what-if from its start to what it says. */
export function WhatIfView({ prices, changes, query, commands, onClose }: ViewProps) {
  const { t } = usePriceWords(prices);
  if (query.isError && query.data === undefined)
    return (
      <div className="span-12">
        <LoadError title={t('whatIf')} error={query.error} onReload={() => void query.refetch()} />
      </div>
    );
  return (
    <Loaded query={query}>
      {(run) => (
        <>
          <div className="span-12">
            <RunHead {...{ run, changes, commands, onClose }} prices={prices} />
          </div>
          {run.state === 'done' && run.result && run.baseline && (
            <WhatIfResult prices={prices} run={run} result={run.result} />
          )}
        </>
      )}
    </Loaded>
  );
}

/** What a run changes, in one line. */
export function useRunChanges(prices: Prices) {
  const words = usePriceWords(prices);
  const { t } = words;
  return ({ channels, plans }: WhatIf['changes']): string => {
    const ofChannels = Object.entries(channels).flatMap(([code, price]) => {
      const channel = prices.channels.find((one) => one.code === code);
      return [`${channel?.name ?? code} ${t('micro', { n: grouped(price) })}`];
    });
    const ofPlans = Object.entries(plans).flatMap(([id, change]) => {
      const plan = prices.plans.find((one) => String(one.id) === id);
      const parts = (Object.entries(change) as [keyof typeof change, number | undefined][]).flatMap(([field, value]) =>
        value === undefined ? [] : [`${t(`field_${field}`)} ${words.value(field, value, plan?.billingMode)}`],
      );
      return [`${plan?.name ?? `#${id}`} ${parts.join(t('and'))}`];
    });
    const all = [...ofPlans, ...ofChannels];
    return all.length === 0 ? t('onlyBaseline') : all.join(t('semicolon'));
  };
}

function RunHead({ prices, run, changes, commands, onClose }: Omit<ViewProps, 'query'> & { run: WhatIf }) {
  const { t } = usePriceWords(prices);
  const changesOf = useRunChanges(prices);
  const { may, cancel, resume } = commands;
  const { baseline } = run;
  const replayed = changes.filter(isReplayed);
  const asked = Object.keys(run.changes.channels).length + Object.values(run.changes.plans).flatMap(Object.keys).length;
  const isAboutDraft = replayed.length === asked && replayed.every((change) => wasReplayed(change, run.changes));
  const id = String(run.id);
  return (
    <Card
      title={
        <>
          {t('whatIf')} <span className="faint numeric">#{run.id}</span>
        </>
      }
      note={
        <span className="numeric">
          {t('span', { from: run.from.slice(5, 10), to: run.to.slice(5, 10) })} · {changesOf(run.changes)}
        </span>
      }
      className="what-if-head"
    >
      <div className="what-if-state">
        <RunState run={run} t={t} />
        <span className="what-if-actions">
          {isUnderWay(run) && may?.can && (
            <Button size="small" loading={cancel.isPending} onClick={() => cancel.mutate({ id })}>
              {t('stop')}
            </Button>
          )}
          {(run.state === 'cancelled' || run.state === 'failed') && may?.can && (
            <Button size="small" loading={resume.isPending} onClick={() => resume.mutate({ id })}>
              {t('goOn')}
            </Button>
          )}
          <Button size="small" type="text" onClick={onClose}>
            {t('hide')}
          </Button>
        </span>
      </div>
      {!isAboutDraft && changes.length > 0 && (
        <p className="remark warning">
          <Icon name="alert" />
          <span>{t('ofAnotherDraft')}</span>
        </p>
      )}
      {run.state === 'unsound' && baseline && (
        <div className="what-if-unsound">
          <p className="remark bad">
            <Icon name="alert" />
            <span>{t('unsoundWhy', { n: grouped(baseline.differenceCount) })}</span>
          </p>
          <div className="table-scroll rows-scroll" role="region" aria-label={t('baselineDifferences')} tabIndex={0}>
            <table className="rows-table numeric">
              <thead>
                <tr>
                  <th scope="col">{t('account')}</th>
                  <th scope="col">{t('entry')}</th>
                  <th scope="col">{t('what')}</th>
                  <th scope="col" className="end">
                    {t('computed')}
                  </th>
                  <th scope="col" className="end">
                    {t('recorded')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {baseline.differences.slice(0, 20).map(({ userId, seq, what, expected, found }) => (
                  <tr key={`${userId} ${seq} ${what}`}>
                    <th scope="row">
                      <a className="link" href={`/ledger/replay/${userId}?seq=${seq}`}>
                        #{userId}
                      </a>
                    </th>
                    <td>{grouped(seq)}</td>
                    <td>
                      <code>{what}</code>
                    </td>
                    <td className="end">{grouped(expected)}</td>
                    <td className="end">{grouped(found)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </div>
      )}
    </Card>
  );
}

function RunState({ run, t }: { run: WhatIf; t: ReturnType<typeof usePriceWords>['t'] }) {
  const { state, entries, total, baseline } = run;
  if (state === 'waiting' || state === 'running') {
    const share = total === 0 ? 0 : Math.min(1, entries / total);
    return (
      <span className="what-if-progress" role="status">
        <span className="state">{t(state === 'waiting' ? 'stateWaiting' : 'stateRunning')}</span>
        <progress max={1} value={share} aria-label={t('progress')} />
        <span className="faint numeric">
          {t('progressOf', { done: grouped(entries), total: grouped(total), rate: grouped(run.perSecond) })}
        </span>
      </span>
    );
  }
  if (state !== 'done' || !baseline)
    return (
      <span className={state === 'cancelled' ? 'state' : 'state bad'} role="status">
        {t(`state_${state === 'unsound' ? 'unsound' : state === 'failed' ? 'failed' : 'cancelled'}`)}
      </span>
    );
  return (
    <span className="what-if-progress" role="status">
      <span className="state ok">{t('sound', { difference: signed(baseline.difference) })}</span>
      <span className="faint numeric">
        {t('soundOf', {
          charged: grouped(baseline.charged),
          wouldBe: grouped(baseline.wouldBe),
          families: grouped(run.families),
          entries: grouped(entries),
          seconds: run.seconds < 1 ? run.seconds.toFixed(1) : grouped(Math.round(run.seconds)),
        })}
      </span>
    </span>
  );
}

import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { grouped, signed, yuan } from '../../../shared/amounts.js';
import { Card } from '../../../shared/ui/card.js';
import { Icon } from '../../../shared/ui/icon.js';
import { FigureStrip } from '../../shared/figure-strip.js';
import type { Prices } from './draft.js';
import { fenOf, plainYuan, shortTime, signedYuan, toneOf, usePriceWords } from './price-words.js';
import type { Result, WhatIf } from './use-what-if.js';
import { ChannelEffect, PlanEffect } from './what-if-effects.js';
import { ByChannel, ByPlan } from './what-if-tables.js';

type ResultProps = { prices: Prices; run: WhatIf; result: Result };

/** What a sound run says: the sum, each changed plan and channel, who is concerned, and what to know before publishing. */
export function WhatIfResult({ prices, run, result }: ResultProps) {
  const plans = Object.keys(run.changes.plans).map(Number);
  const channels = Object.keys(run.changes.channels).flatMap(
    (code) => prices.channels.find((one) => one.code === code)?.id ?? [],
  );
  // One channel and the notes share a row.
  const isBeside = channels.length === 1;
  return (
    <>
      <div className="span-12">
        <Whole prices={prices} run={run} result={result} />
      </div>
      {plans.map((id) => (
        <div key={id} className="span-12">
          <PlanEffect {...{ prices, run, result, id }} />
        </div>
      ))}
      {channels.map((id) => (
        <div key={id} className={isBeside ? 'span-8' : 'span-12'}>
          <ChannelEffect {...{ prices, run, result, id }} />
        </div>
      ))}
      <div className={isBeside ? 'span-4' : 'span-12'}>
        <BeforePublishing prices={prices} result={result} />
      </div>
      <div className="span-6">
        <ByPlan prices={prices} result={result} />
      </div>
      <div className="span-6">
        <ByChannel prices={prices} result={result} />
      </div>
      {result.gains.length + result.loses.length > 0 && (
        <div className={result.dryCount > 0 ? 'span-8' : 'span-12'}>
          <Families prices={prices} result={result} />
        </div>
      )}
      {result.dryCount > 0 && (
        <div className="span-4">
          <Dry prices={prices} result={result} />
        </div>
      )}
    </>
  );
}

function Whole({ prices, result }: ResultProps) {
  const { t } = usePriceWords(prices);
  const { amount, charged, vendorCost, margin, costless, dryCount } = result;
  const paid = amount.wouldBe - amount.was;
  const gained = fenOf(margin.wouldBe - margin.was);
  const figures = [
    {
      name: t('paid'),
      value: signedYuan(paid),
      tone: toneOf(paid),
      note: `${plainYuan(amount.was)} → ${plainYuan(amount.wouldBe)}`,
    },
    {
      name: t('charged'),
      value: signed(charged.wouldBe - charged.was),
      note: `${grouped(charged.was)} → ${grouped(charged.wouldBe)}`,
    },
    {
      name: t('margin'),
      value: signedYuan(gained),
      tone: toneOf(gained),
      note: t('marginOf', {
        was: plainYuan(fenOf(margin.was)),
        wouldBe: plainYuan(fenOf(margin.wouldBe)),
        cost: plainYuan(fenOf(vendorCost)),
      }),
    },
    {
      name: t('runDry'),
      value: grouped(dryCount),
      after: t('members', { n: dryCount }),
      note: dryCount === 0 ? t('nobodyDry') : t('firstDry', { at: shortTime(result.dry[0]?.at ?? '') }),
    },
  ];
  return (
    <Card title={t('whole')} note={costless > 0 ? t('costless', { n: grouped(costless) }) : t('wholeNote')}>
      <div className="price-strip">
        <FigureStrip figures={figures} />
      </div>
      <WhoConcerned result={result} t={t} />
    </Card>
  );
}

/** Families by what the change means for them, as one bar. */
function WhoConcerned({ result: { affected }, t }: { result: Result; t: ReturnType<typeof usePriceWords>['t'] }) {
  const all = affected.same + affected.loses + affected.gains;
  const parts = (['same', 'loses', 'gains'] as const).map((key) => ({ key, n: affected[key] }));
  return (
    <div className="who-concerned">
      <h3>
        {t('who')} <span className="faint">{t('whoOf', { n: grouped(all) })}</span>
      </h3>
      <div className="who-bar" aria-hidden="true">
        {parts.map(({ key, n }) => n > 0 && <i key={key} className={key} style={{ flexGrow: n }} />)}
      </div>
      <ul>
        {parts.map(({ key, n }) => (
          <li key={key} className={key}>
            <b className="numeric">{grouped(n)}</b> {t(`who_${key}`)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Note({ icon, tone = '', children }: { icon: 'alert' | 'info' | 'stamp'; tone?: string; children: ReactNode }) {
  return (
    <p className={`remark ${tone}`}>
      <Icon name={icon} />
      <span>{children}</span>
    </p>
  );
}

function BeforePublishing({ prices, result }: Omit<ResultProps, 'run'>) {
  const { t, channel } = usePriceWords(prices);
  const plan = (id: number): string => prices.plans.find((one) => one.id === id)?.name ?? `#${id}`;
  return (
    <Card title={t('before')}>
      <div className="before-publishing">
        {result.held.map(({ channel: id, charNum, worth }) => (
          <Note key={id} icon="alert" tone="warning">
            {t(worth > 0 ? 'heldMore' : 'heldLess', {
              channel: channel(id),
              n: grouped(charNum),
              worth: `¥${yuan(Math.abs(fenOf(worth)))}`,
            })}
          </Note>
        ))}
        {result.references.map(({ plan: id, channel: of, on, num }) => (
          <Note key={`${id} ${of}`} icon="info">
            {t('reference', {
              plan: plan(id),
              channel: channel(of),
              on: channel(on),
              was: grouped(num.was),
              wouldBe: grouped(num.wouldBe),
            })}
          </Note>
        ))}
        {result.notIncluded > 0 && (
          <Note icon="alert" tone="warning">
            {t('notIncluded', { n: grouped(result.notIncluded) })}
          </Note>
        )}
        <Note icon="stamp" tone="hand">
          {t('twoPersons')}
        </Note>
      </div>
    </Card>
  );
}

function Families({ prices, result: { gains, loses } }: Omit<ResultProps, 'run'>) {
  const { t, channel } = usePriceWords(prices);
  const plan = (id: number): string => prices.plans.find((one) => one.id === id)?.name ?? `#${id}`;
  const rows = [...loses, ...gains].toSorted((a, b) => Math.abs(b.effect) - Math.abs(a.effect)).slice(0, 12);
  return (
    <Card title={t('families')} note={t('familiesNote')}>
      <div className="table-scroll rows-scroll" role="region" aria-label={t('families')} tabIndex={0}>
        <table className="rows-table numeric">
          <thead>
            <tr>
              <th scope="col">{t('family')}</th>
              <th scope="col">{t('columnPlan')}</th>
              <th scope="col">{t('columnChannel')}</th>
              <th scope="col" className="end">
                {t('familyPaid')}
              </th>
              <th scope="col" className="end">
                {t('effect')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ familyId, name, amount, effect, ...row }) => (
              <tr key={familyId}>
                <th scope="row">
                  <Link className="link dynamic-text" to={`/members/${familyId}`}>
                    {name ?? `#${familyId}`}
                  </Link>
                </th>
                <td className="muted dynamic-text">{plan(row.plan)}</td>
                <td className="muted dynamic-text">{channel(row.channel)}</td>
                <td className="end">
                  <span className="faint">{plainYuan(amount.was)} →</span> {plainYuan(amount.wouldBe)}
                </td>
                <td className={`end ${toneOf(effect)}`}>{signedYuan(fenOf(effect))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function Dry({ prices, result: { dry, dryCount } }: Omit<ResultProps, 'run'>) {
  const { t } = usePriceWords(prices);
  return (
    <Card title={t('dry')} note={t('dryNote', { n: grouped(dryCount) })}>
      <ul className="what-if-dry numeric">
        {dry.slice(0, 10).map(({ userId, name, at, kind }) => (
          <li key={`${userId} ${kind}`}>
            <Link className="link dynamic-text" to={`/ledger/replay/${userId}?at=${encodeURIComponent(at)}`}>
              {name ?? `#${userId}`}
            </Link>
            <span className="muted">{t(`dry_${kind}`)}</span>
            <span className="faint">{shortTime(at)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

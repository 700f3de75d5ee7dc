import type { Response } from '@yiqiao/contracts/endpoint';
import type { getSystemDetails } from '@yiqiao/contracts/operator/system';
import { useState } from 'react';
import { Link } from 'react-router';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Card } from '../../../shared/ui/card.js';
import { useAge } from '../../shared/age.js';
import zh from './messages.zh.js';

type Details = Response<typeof getSystemDetails>;

const JOB_LOOKS = { ok: 'ok', late: 'warning', failed: 'bad', unknown: '' } as const;

/** A job of a newer version than this page keeps its own name. */
const isKnown = (key: string): key is keyof typeof zh => Object.hasOwn(zh, key);

/** The repeated jobs; while all of them are well, one line says so. */
export function Jobs({ details: { jobs } }: { details: Details }) {
  const t = useMessages('system');
  const age = useAge();
  const [isOpen, setIsOpen] = useState(false);
  if (!jobs)
    return (
      <Card title={t('jobs')}>
        <p className="card-body muted">{t('noJobs')}</p>
      </Card>
    );
  const unwell = jobs.filter(({ state }) => state !== 'ok');
  const shown = isOpen ? jobs : unwell;
  return (
    <Card
      title={t('jobs')}
      note={
        <button type="button" className="link link-button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? t('jobsFewer') : t('jobsAll', { n: jobs.length })}
        </button>
      }
    >
      {unwell.length === 0 && !isOpen ? (
        <p className="card-body">
          <span className="state ok">{t('jobsWell', { n: jobs.length })}</span>
        </p>
      ) : (
        <div className="table-scroll rows-scroll">
          <table className="rows-table numeric">
            <thead>
              <tr>
                <th scope="col">{t('job')}</th>
                <th scope="col">{t('every')}</th>
                <th scope="col">{t('ran')}</th>
                <th scope="col" className="end">
                  {t('took')}
                </th>
                <th scope="col">{t('result')}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ name, everySeconds, ranAt, ms, state }) => {
                const key = `job_${name}`;
                return (
                  <tr key={name}>
                    <th scope="row">{isKnown(key) ? t(key) : name}</th>
                    <td className="muted">{age(everySeconds)}</td>
                    <td className="muted" title={ranAt ?? undefined}>
                      {ranAt?.slice(5) ?? '–'}
                    </td>
                    <td className="end muted">{ms === null ? '–' : t('ms', { ms: grouped(ms) })}</td>
                    <td>
                      <span className={`state ${JOB_LOOKS[state]}`}>{t(`job_${state}`)}</span>
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}

const NIGHTLY_LOOKS = { ok: 'ok', running: '', late: 'warning', failed: 'bad', differs: 'bad', unknown: '' } as const;
const MEBIBYTE = 2 ** 20;

/** What is done once a night: closes, audits and, where they are configured, backups by themselves, reconciliations by somebody's timetable. */
export function Nightly({ details: { nightly } }: { details: Details }) {
  const t = useMessages('system');
  const age = useAge();
  const said = ({ name, state, date, count, failedAt }: Details['nightly'][number]): string => {
    if (failedAt !== null) return t('nightlyFailedAt', { at: failedAt.slice(5, 16) });
    if (state === 'differs') return t(`nightly_${name}_differs` as 'nightly_audit_differs', { n: grouped(count ?? 0) });
    if (state !== 'ok' && state !== 'late')
      return t(state === 'unknown' ? `nightly_${name}_unknown` : `nightly_${state}`);
    const good = t(`nightly_${name}_ok`, {
      date: date ?? '',
      n: name === 'backup' ? ((count ?? 0) / MEBIBYTE).toFixed(1) : (count ?? 0),
    });
    return state === 'late' ? t(name === 'fullAudit' ? 'nightlyFullLate' : 'nightlyLate', { what: good }) : good;
  };
  return (
    <Card title={t('nightly')} className="system-nightly">
      <div className="table-scroll rows-scroll">
        <table className="rows-table numeric">
          <thead>
            <tr>
              <th scope="col">{t('job')}</th>
              <th scope="col">{t('ran')}</th>
              <th scope="col" className="end">
                {t('ago')}
              </th>
              <th scope="col" className="end">
                {t('took')}
              </th>
              <th scope="col">{t('result')}</th>
            </tr>
          </thead>
          <tbody>
            {nightly.map((task) => (
              <tr key={task.name}>
                <th scope="row">
                  {task.name === 'backup' || task.name === 'drill' ? (
                    t(`nightly_${task.name}`)
                  ) : (
                    <Link className="link" to={NIGHTLY_PAGES[task.name]}>
                      {t(`nightly_${task.name}`)}
                    </Link>
                  )}
                </th>
                <td className="muted">{task.at?.slice(5) ?? '–'}</td>
                <td className="end muted">{task.ageSeconds === null ? '–' : age(task.ageSeconds)}</td>
                <td className="end muted">{task.seconds === null ? '–' : age(task.seconds)}</td>
                <td className="nightly-result">
                  <span className={`state ${NIGHTLY_LOOKS[task.state]}`}>{said(task)}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

const NIGHTLY_PAGES = {
  audit: '/ledger/audits',
  fullAudit: '/ledger/audits',
  close: '/ledger/audits',
  reconciliation: '/payments/reconciliations',
} as const;

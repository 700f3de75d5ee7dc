import { listTrialDays, listTrialEntries } from '@yiqiao/contracts/operator/trial-balance';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { ENTRY_LINES, type EntryLine, entryLines, OTHER_LINES } from '@yiqiao/domain/trial-balance';
import { Drawer, Select } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { grouped } from '../../../shared/amounts.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Empty } from '../../../shared/ui/empty.js';
import { Icon } from '../../../shared/ui/icon.js';
import { Loaded } from '../../shared/states.js';
import { HeldFamilies, Pages } from './held-tables.js';
import { LineCells, LineHeads, minus, money } from './line-cells.js';
import { atOf, type Balance, type FamilyLine, isEntryLine, lineOf, QUANTITIES, useBooks } from './use-books.js';

const PAGE = 20;
const SIDES = ['issued', 'used', 'converted', 'moved'] as const;
const FAMILY_LINES = ['held', 'frozen', 'lapsed', 'recharged'] as const;

/** What a line of the balance is made of: days and their entries, or families. */
export function LineDrawer({ balance, line }: { balance: Balance; line: EntryLine | FamilyLine }) {
  const t = useMessages('audits');
  const { day, change } = useBooks();
  const close = (): void => change({ line: null, day: null, plan: null });
  const found = lineOf(balance, line);
  const option = (key: EntryLine | FamilyLine) => ({
    value: key,
    label: { ...ENTRY_LINES, ...OTHER_LINES }[key][language],
  });
  return (
    <Drawer
      open
      onClose={close}
      width="min(860px, 100vw)"
      title={t('madeOf')}
      extra={<span className="muted numeric">{t('asOf', { at: balance.at })}</span>}
    >
      <div className="books-line">
        <Select<EntryLine | FamilyLine>
          aria-label={t('line')}
          value={line}
          popupMatchSelectWidth={false}
          options={[
            ...SIDES.map((side) => ({
              label: t(`side_${side}`),
              options: entryLines.filter((key) => ENTRY_LINES[key].side === side).map(option),
            })),
            { label: t('side_families'), options: FAMILY_LINES.map(option) },
          ]}
          onChange={(key) => change({ line: key, day: null, plan: null })}
        />
        {found && (
          <p className="numeric">
            {line === 'recharged'
              ? money(found.amount)
              : QUANTITIES.map((quantity) => `${t(quantity)} ${minus(found[quantity])}`).join(' · ')}
            {found.entries !== null && ` · ${t('entryCount', { n: grouped(found.entries) })}`}
          </p>
        )}
      </div>
      {!isEntryLine(line) ? (
        <HeldFamilies key={line} line={line} />
      ) : day === null ? (
        <Days key={line} line={line} />
      ) : (
        <Entries key={`${line} ${day}`} line={line} day={day} />
      )}
    </Drawer>
  );
}

/** Newest first; each opens its entries. */
function Days({ line }: { line: EntryLine }) {
  const t = useMessages('audits');
  const { at, change } = useBooks();
  const [page, turn] = useState(1);
  const query = useEndpoint(listTrialDays, { ...atOf(at), line, pageNum: String(page), pageSize: String(PAGE) });
  return (
    <Loaded query={query} rows={8}>
      {({ rows, total }) =>
        rows.length === 0 ? (
          <Empty title={t('noEntries')} />
        ) : (
          <>
            <div className="table-scroll rows-scroll" role="region" aria-label={t('byDay')} tabIndex={0}>
              <table className="rows-table numeric">
                <LineHeads texts={[t('day')]} numbers={[t('entries')]} />
                <tbody>
                  {rows.map((row) => (
                    <tr key={row.day}>
                      <th scope="row">
                        <button type="button" className="link" onClick={() => change({ day: row.day })}>
                          {row.day}
                        </button>
                      </th>
                      <td className="end muted">{grouped(row.entries)}</td>
                      <LineCells of={row} />
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            <Pages page={page} total={total} size={PAGE} onTurn={turn} />
          </>
        )
      }
    </Loaded>
  );
}

/** The entries of one day, each in the time machine with its cause. */
function Entries({ line, day }: { line: EntryLine; day: string }) {
  const t = useMessages('audits');
  const { at, change } = useBooks();
  const [page, turn] = useState(1);
  const query = useEndpoint(listTrialEntries, {
    ...atOf(at),
    line,
    day,
    pageNum: String(page),
    pageSize: String(PAGE),
  });
  return (
    <>
      <p className="books-back">
        <button type="button" className="link" onClick={() => change({ day: null })}>
          <Icon name="back" /> {t('allDays')}
        </button>{' '}
        <b className="numeric">{day}</b>
      </p>
      <Loaded query={query} rows={8}>
        {({ rows, total }) =>
          rows.length === 0 ? (
            <Empty title={t('noEntries')} />
          ) : (
            <>
              <div className="table-scroll rows-scroll" role="region" aria-label={t('entries')} tabIndex={0}>
                <table className="rows-table numeric">
                  <LineHeads texts={[t('time'), t('account'), t('type')]} />
                  <tbody>
                    {rows.map((row) => (
                      <tr key={row.entryId}>
                        <th scope="row">{row.at.slice(11)}</th>
                        <td>
                          <Link className="link" to={`/ledger/replay/${row.userId}?seq=${row.seq}`}>
                            {t('whereEntry', { account: row.userId, seq: grouped(row.seq) })}
                          </Link>
                        </td>
                        <td className="muted">{ENTRY_TYPES[row.type]?.[language] ?? row.type}</td>
                        <LineCells of={row} />
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
              <Pages page={page} total={total} size={PAGE} onTurn={turn} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

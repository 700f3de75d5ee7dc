import { listFamilyMoves } from '@yiqiao/contracts/operator/families';
import type { Response } from '@yiqiao/contracts/endpoint';
import { Link } from 'react-router';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { BeforeAfter } from './events.js';
import { useKept } from './use-replay.js';

export type Moves = Response<typeof listFamilyMoves>['rows'];

const FOREVER = { staleTime: Number.POSITIVE_INFINITY };
const LAST_MOVES = 7;

/** What the members gave each other last, both sides of each command. */
export function MovesTable({ userId, at }: { userId: string; at: string }) {
  const t = useMessages('replay');
  const rows = useKept(useEndpoint(listFamilyMoves, { userId, at, limit: String(LAST_MOVES) }, FOREVER).data)?.rows;
  if (!rows) return null;
  return (
    <section className="card moves">
      <div className="ct">
        <h2>{t('moves')}</h2>
        <small>{t('movesNote', { n: LAST_MOVES })}</small>
      </div>
      {rows.length === 0 ? (
        <p className="none-found">{t('noMoves')}</p>
      ) : (
        <div className="table-scroll" role="region" aria-label={t('moves')} tabIndex={0}>
          <table className="tb d">
            <thead>
              <tr>
                <th scope="col">{t('time')}</th>
                <th scope="col">{t('command')}</th>
                <th scope="col">{t('from')}</th>
                <th scope="col" className="n">
                  {t('beforeAfter')}
                </th>
                <th scope="col">{t('to')}</th>
                <th scope="col" className="n">
                  {t('beforeAfter')}
                </th>
                <th scope="col" className="n">
                  {t('amount')}
                </th>
                <th scope="col">{t('bothSides')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.entryId}>
                  <td className="num nw">{row.moment.slice(5, 19)}</td>
                  <td className="nw">
                    {t(`kind_${row.kind}`)} <span className="mono faint">{row.cmdId.slice(0, 8)}…</span>
                  </td>
                  <Side side={row.from} />
                  <Side side={row.to} />
                  <td className="n">{grouped(row.charNum || row.voiceNum || row.imageNum)}</td>
                  <td className="nw">
                    <span className={row.equal ? 'st ok' : 'st bad'}>
                      <i />
                      {t(row.equal ? 'equal' : 'unequal')}
                    </span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Side({ side }: { side: Moves[number]['from'] }) {
  return (
    <>
      <td className="nw">
        <Link to={`/ledger/replay/${side.userId}?seq=${side.seq}`}>
          {side.name} <span className="faint num">#{grouped(side.seq)}</span>
        </Link>
      </td>
      <td className="n">
        <BeforeAfter before={side.before} after={side.last} />
      </td>
    </>
  );
}

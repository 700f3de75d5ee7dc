import type { Response } from '@yiqiao/contracts/endpoint';
import type { listSessions } from '@yiqiao/contracts/sessions';
import { CLIENT_TYPES } from '@yiqiao/domain/members';
import { Link } from 'react-router';
import { language } from '../../../shared/i18n/language.js';
import { useTexts } from '../../../shared/i18n/texts.js';

export type SessionRow = Response<typeof listSessions>[number];

const NOWHERE = '–';

function Device({ row, onEnd }: { row: SessionRow; onEnd: () => void }) {
  const t = useTexts('account');
  const client = CLIENT_TYPES[row.clientType][language];
  const ip = row.loginIp ?? NOWHERE;
  return (
    <li>
      <div>
        <p>
          <b>{client}</b> {row.current && <span className="tag add">{t('thisDevice')}</span>}
        </p>
        <p className="num ac-when">
          <span>{t('fromIp', { ip })}</span> <span>{t('since', { time: row.loginDateTime })}</span>{' '}
          <span>{t('lastUse', { time: row.lastUseDateTime })}</span>
        </p>
      </div>
      {row.current ? (
        <Link className="btn btn-d btn-sm" to="/UserCenterExit">
          {t('signOut')}
        </Link>
      ) : (
        <button
          type="button"
          className="btn btn-d btn-sm"
          aria-label={t('endLabel', { client, ip, time: row.loginDateTime })}
          onClick={onEnd}
        >
          {t('end')}
        </button>
      )}
    </li>
  );
}

/** Every device that is signed in, the one that was used last first. */
export function SessionsList({ rows, onEnd }: { rows: readonly SessionRow[]; onEnd: (row: SessionRow) => void }) {
  const t = useTexts('account');
  return (
    <ul className="ac-devices" aria-label={t('devices')}>
      {rows.map((row) => (
        <Device key={row.id} row={row} onEnd={() => onEnd(row)} />
      ))}
    </ul>
  );
}

import type { Response } from '@yiqiao/contracts/endpoint';
import { exportLoginLogs, type listLoginLogs } from '@yiqiao/contracts/login-log';
import { deviceName } from '@yiqiao/domain/devices';
import { CLIENT_TYPES } from '@yiqiao/domain/members';
import { Link } from 'react-router';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { LogPage, LogTime } from '../../shared/logs/log-page.js';

type Row = Response<typeof listLoginLogs>['rows'][number];

/** /UserCenterLoginLog (specification §2). */
export default function LoginLogPage() {
  const t = useMessages('login-log');
  return (
    <LogPage<Row>
      title={t('title')}
      note={t('note')}
      resource="loginLogs"
      timeField="loginDateTime"
      file={exportLoginLogs}
      columns={[
        { key: 'ip', title: t('ip'), width: '28%', render: (_, row) => <span className="numeric">{row.loginIp}</span> },
        {
          key: 'clientType',
          title: t('clientType'),
          width: '36%',
          render: (_, row) => (
            <span>
              {CLIENT_TYPES[row.clientType][language]} <small className="faint">{deviceName(row, language)}</small>
            </span>
          ),
        },
        { key: 'time', title: t('time'), rowScope: 'row', render: (_, row) => <LogTime at={row.loginDateTime} /> },
      ]}
      empty={{
        title: t('emptyTitle'),
        why: t('emptyWhy'),
        action: (
          <Link className="button button-default" to="/UserCenterChangePassword">
            {t('emptyAction')}
          </Link>
        ),
      }}
    />
  );
}

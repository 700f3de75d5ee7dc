import './vendors.css';
import { listVendorAccounts } from '@yiqiao/contracts/operator/vendors';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Card } from '../../../shared/ui/card.js';
import { PageHeader } from '../../../shared/ui/page-header.js';
import { Loaded } from '../../shared/states.js';
import { usePollInterval } from '../../shared/use-poll-interval.js';
import { AccountDrawer } from './account-drawer.js';
import { AddAccountDrawer } from './add-account-drawer.js';
import { HealthTable } from './health-table.js';

const EVERY_MS = 5_000;
const ADD = 'add';

/** Accounts at vendors, live. The open account is in the address. */
export default function VendorsPage() {
  const t = useMessages('vendors');
  const { code, account } = useParams();
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const query = useEndpoint(listVendorAccounts, {}, { refetchInterval: usePollInterval(EVERY_MS) });
  const { data } = query;
  const close = (): void => void navigate('/channels');
  const adding = data?.channels.find((channel) => channel.code === search.get(ADD));
  const channel = data?.channels.find((one) => one.code === code);
  return (
    <>
      <PageHeader title={t('title')} note={t('note')}>
        {data && (
          <span className="faint numeric">
            {data.processes === 0
              ? t('noProcess', { time: data.at.slice(11) })
              : t('processes', { n: grouped(data.processes), time: data.at.slice(11) })}
          </span>
        )}
      </PageHeader>
      <div className="grid">
        <div className="span-12">
          <Card title={t('health')} note={t('healthNote')}>
            <Loaded query={query} rows={10}>
              {({ channels }) => <HealthTable channels={channels} />}
            </Loaded>
          </Card>
        </div>
      </div>
      {adding && <AddAccountDrawer channel={adding} sandbox={data?.sandbox ?? false} onClose={close} />}
      {channel && account !== undefined && (
        <AccountDrawer
          key={account}
          channel={channel}
          account={channel.accounts.find(({ name }) => name === account)}
          onClose={close}
        />
      )}
    </>
  );
}

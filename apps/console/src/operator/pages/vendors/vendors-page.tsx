import './vendors.css';
import { CanAccess } from '@refinedev/core';
import { listVendorAccounts } from '@yiqiao/contracts/operator/vendors';
import { Button } from 'antd';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Card } from '../../../shared/ui/card.js';
import { Icon } from '../../../shared/ui/icon.js';
import { PageHeader } from '../../../shared/ui/page-header.js';
import { Loaded } from '../../shared/states.js';
import { usePollInterval } from '../../shared/presence.js';
import { AccountDrawer } from './account-drawer.js';
import { AddAccountDrawer } from './add-account-drawer.js';
import { BillsDrawer } from './bills-drawer.js';
import { HealthTable } from './health-table.js';
import { MarginFigures, MarginPanel, useMargin } from './margin-panel.js';
import { useTests } from './use-tests.js';

const EVERY_MS = 5_000;
const ADD = 'add';
const BILLS = 'bills';

/** Who translates, whether they hold, and what they cost. The open account is in the address. */
export default function VendorsPage() {
  const t = useMessages('vendors');
  const { code, account } = useParams();
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const query = useEndpoint(listVendorAccounts, {}, { refetchInterval: usePollInterval(EVERY_MS) });
  const { data } = query;
  const { tests, test, testAll, isTestingAll } = useTests();
  const margin = useMargin();
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
        <CanAccess resource="vendor-accounts" action="vendorAccount.change">
          <Button
            icon={<Icon name="bolt" />}
            disabled={!data}
            loading={isTestingAll}
            onClick={() => void testAll(data?.channels ?? [])}
          >
            {t('testAll')}
          </Button>
        </CanAccess>
        <Button icon={<Icon name="card" />} onClick={() => void navigate(`/channels?${BILLS}`)}>
          {t('bills')}
        </Button>
      </PageHeader>
      <div className="grid">
        <div className="span-12">
          <MarginFigures query={margin.query} days={margin.days} />
        </div>
        <div className="span-12">
          <Card title={t('health')} note={t('healthNote')}>
            <Loaded query={query} rows={10}>
              {({ channels }) => (
                <HealthTable channels={channels} tests={tests} onTest={(account) => void test(account)} />
              )}
            </Loaded>
          </Card>
        </div>
        <div className="span-12">
          <MarginPanel {...margin} />
        </div>
      </div>
      {search.has(BILLS) && data && <BillsDrawer channels={data.channels} onClose={close} />}
      {adding && <AddAccountDrawer channel={adding} sandbox={data?.sandbox ?? false} onClose={close} />}
      {channel && account !== undefined && (
        <AccountDrawer
          key={account}
          channel={channel}
          now={data?.at ?? ''}
          account={channel.accounts.find(({ name }) => name === account)}
          onClose={close}
        />
      )}
    </>
  );
}

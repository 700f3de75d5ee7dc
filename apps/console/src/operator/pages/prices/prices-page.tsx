import './prices.css';
import { CanAccess } from '@refinedev/core';
import { listPrices } from '@yiqiao/contracts/operator/prices';
import { Button } from 'antd';
import { useState } from 'react';
import { NavLink, useLocation, useSearchParams } from 'react-router';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Icon } from '../../../shared/ui/icon.js';
import { PageHeader } from '../../../shared/ui/page-header.js';
import { Loaded } from '../../shared/states.js';
import { usePollInterval } from '../../shared/presence.js';
import {
  type Change,
  DRAFT,
  type Prices,
  readDraft,
  replayOf,
  type Subject,
  subjectsOf,
  type Values,
  valuesOf,
  withValues,
  writeDraft,
} from './draft.js';
import { DraftPanel, lastDays } from './draft-panel.js';
import { EditDialog } from './edit-dialog.js';
import { PriceHistory } from './price-history.js';
import { Channels, Plans } from './price-tables.js';
import { PublishDialog } from './publish-dialog.js';
import { useWhatIf, useWhatIfCommands } from './use-what-if.js';
import { WhatIfRuns } from './what-if-runs.js';
import { WhatIfView } from './what-if-view.js';

const EVERY_MS = 30_000;
const RUN = 'whatIf';
const DAY = 'YYYY-MM-DD';

/** Prices, changed as a draft, tried on what members really did, and asked for: somebody else decides (OPERATOR.md §4). */
export default function PricesPage() {
  const t = useMessages('prices');
  const query = useEndpoint(listPrices, {}, { refetchInterval: usePollInterval(EVERY_MS) });
  const { pathname, search } = useLocation();
  const tab = pathname.split('/')[2] ?? 'plans';
  const tabs = [
    { to: '/plans', name: t('tabPlans') },
    { to: '/plans/channels', name: t('tabChannels') },
    { to: '/plans/what-ifs', name: t('tabWhatIfs') },
    { to: '/plans/versions', name: t('tabVersions') },
  ];
  const nav = (
    <nav className="page-tabs" aria-label={t('tabs')}>
      {tabs.map(({ to, name }) => (
        <NavLink key={to} to={to + search} end>
          {name}
        </NavLink>
      ))}
    </nav>
  );
  return (
    <Loaded query={query} rows={10} title={t('title')}>
      {(prices) =>
        tab === 'plans' || tab === 'channels' ? (
          <Drafting prices={prices} tab={tab} nav={nav} />
        ) : (
          <>
            <PageHeader title={t('title')} note={t('note')} />
            {nav}
            {tab === 'what-ifs' ? <WhatIfRuns prices={prices} /> : <PriceHistory prices={prices} />}
          </>
        )
      }
    </Loaded>
  );
}

function useDraft(prices: Prices) {
  const [search, setSearch] = useSearchParams();
  const subjects = subjectsOf(prices);
  const changes = readDraft(search.getAll(DRAFT), subjects);
  const write = (next: readonly Change[]): void =>
    setSearch(
      (old) => {
        const params = new URLSearchParams(old);
        params.delete(DRAFT);
        for (const text of writeDraft(next)) params.append(DRAFT, text);
        return params;
      },
      { replace: true },
    );
  const run = Number(search.get(RUN)) || null;
  const openRun = (id: number | null): void =>
    setSearch(
      (old) => {
        const params = new URLSearchParams(old);
        if (id === null) params.delete(RUN);
        else params.set(RUN, String(id));
        return params;
      },
      { replace: true },
    );
  return { changes, write, run, openRun };
}

function Drafting({ prices, tab, nav }: { prices: Prices; tab: 'plans' | 'channels'; nav: React.ReactNode }) {
  const t = useMessages('prices');
  const { changes, write, run, openRun } = useDraft(prices);
  const [range, setRange] = useState(lastDays);
  const [edited, setEdited] = useState<Subject | null>(null);
  const [isPublishing, setIsPublishing] = useState(false);
  const whatIf = useWhatIf(run);
  const commands = useWhatIfCommands(openRun);
  const set = (subject: Subject, values: Values): void => write(withValues(changes, subject, values));
  const replay = (): void =>
    commands.start.mutate({
      from: `${range[0].format(DAY)} 00:00:00`,
      to: `${range[1].format(DAY)} 23:59:59`,
      changes: replayOf(changes),
    });
  const table = { prices, changes, onEdit: setEdited, onSet: set };
  return (
    <>
      <PageHeader title={t('title')} note={t('note')}>
        {changes.length > 0 && (
          <>
            <Button type="text" onClick={() => write([])}>
              {t('discard')}
            </Button>
            <CanAccess resource="prices" action="price.change">
              <Button type="primary" icon={<Icon name="stamp" />} onClick={() => setIsPublishing(true)}>
                {t('publish')}
              </Button>
            </CanAccess>
          </>
        )}
      </PageHeader>
      {nav}
      <div className="grid">
        <div className="span-12">{tab === 'plans' ? <Plans {...table} /> : <Channels {...table} />}</div>
        <div className="span-12">
          <DraftPanel
            {...{ prices, changes, range }}
            onRange={setRange}
            onUndo={({ subject, field, was }) => set(subject, { [field]: was })}
            onReplay={commands.may?.can ? replay : undefined}
            isStarting={commands.start.isPending}
          />
        </div>
        {run !== null && <WhatIfView {...{ prices, changes, commands }} query={whatIf} onClose={() => openRun(null)} />}
      </div>
      {edited && (
        <EditDialog
          key={edited.target}
          subject={edited}
          values={valuesOf(changes, edited.target)}
          channels={prices.channels}
          onDone={(values) => set(edited, values)}
          onClose={() => setEdited(null)}
        />
      )}
      {isPublishing && (
        <PublishDialog
          prices={prices}
          changes={changes}
          run={whatIf.data?.state === 'done' ? whatIf.data : null}
          onAsked={(targets) => write(changes.filter(({ subject }) => !targets.includes(subject.target)))}
          onClose={() => setIsPublishing(false)}
        />
      )}
    </>
  );
}

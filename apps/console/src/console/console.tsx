import '@ant-design/v5-patch-for-react-19';
import './console.css';
import { Refine, type RefineProps, type ResourceProps } from '@refinedev/core';
import { routerProvider } from './router-provider.js';
import { useState } from 'react';
import { dataProvider } from './data-provider.js';
import { messagesOf } from '../shared/i18n/messages.js';
import { createLiveProvider } from './live-provider.js';
import { notifyAccountChanged, onLive } from '../shared/live/live.js';
import { accessControlProvider } from './access-provider.js';
import { AntdProvider } from '../shared/antd/antd-provider.js';
import { authProvider } from './auth-provider.js';
import { i18nProvider } from '../shared/refine/locale.js';
import { notificationProvider, REFINE_OPTIONS } from '../shared/refine/options.js';
import { consolePages, nameOf, type PageMeta } from './page-table.js';
import { Shell } from './shell.js';

/** Every page of the console as a resource of Refine. Called once the texts are loaded. */
function consoleResources(): ResourceProps[] {
  const t = messagesOf('console');
  return consolePages.map((row) => ({
    name: nameOf(row),
    list: row.path,
    meta: {
      label: t(row.name),
      who: row.who,
      group: row.menu?.group ?? null,
      icon: row.menu?.icon ?? null,
      hide: row.menu === undefined,
    } satisfies PageMeta,
  }));
}

const PROVIDERS = {
  dataProvider,
  authProvider,
  i18nProvider,
  accessControlProvider,
  routerProvider,
  notificationProvider,
  liveProvider: createLiveProvider({ on: onLive, notifyAccountChanged }),
} satisfies RefineProps;

/** The member console: Refine and its providers around the shell.  */
export function Console() {
  const [resources] = useState(consoleResources);
  return (
    <AntdProvider>
      <Refine {...PROVIDERS} resources={resources} options={REFINE_OPTIONS}>
        <Shell />
      </Refine>
    </AntdProvider>
  );
}

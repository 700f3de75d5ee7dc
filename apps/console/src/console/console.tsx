import '@ant-design/v5-patch-for-react-19';
import '../shared/ui/console/console.css';
import { Refine, type RefineProps } from '@refinedev/core';
import routerProvider from '@refinedev/react-router';
import { App, ConfigProvider } from 'antd';
import { useState } from 'react';
import { dataProvider } from '../shared/data-provider.js';
import { useTexts } from '../shared/i18n/texts.js';
import { liveLists } from '../shared/live/live-lists.js';
import { onLive, tellAccountChanged } from '../shared/live/live.js';
import { accessControlProvider } from './access-provider.js';
import { authProvider } from './auth-provider.js';
import { antdLocale, i18nProvider } from './console-locale.js';
import { consoleResources } from './console-resources.js';
import { notifications } from './notifications.js';
import { Shell } from './shell.js';
import { useConsoleTheme } from './use-console-theme.js';

const PROVIDERS = {
  dataProvider,
  authProvider,
  i18nProvider,
  accessControlProvider,
  routerProvider,
  notificationProvider: notifications,
  liveProvider: liveLists({ on: onLive, tellAccountChanged }),
} satisfies RefineProps;

const OPTIONS: RefineProps['options'] = {
  disableTelemetry: true,
  syncWithLocation: true,
  warnWhenUnsavedChanges: false,
  liveMode: 'auto',
  reactQuery: { clientConfig: { defaultOptions: { queries: { retry: false, staleTime: 0 } } } },
};

/** What lets antd write styles: good for this document alone (docs/decisions/0027). */
const CSP = { nonce: document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '' };

/** The member console: Refine and its providers around the shell. Its chunk is the only one with antd. */
export function Console() {
  const theme = useConsoleTheme();
  const [resources] = useState(consoleResources);
  // Their own name for it is English in every language.
  const closable = { 'aria-label': useTexts('shared')('close') };
  return (
    <ConfigProvider
      theme={theme}
      csp={CSP}
      locale={antdLocale()}
      button={{ autoInsertSpace: false }}
      modal={{ closable }}
      drawer={{ closable }}
    >
      <App>
        <Refine {...PROVIDERS} resources={resources} options={OPTIONS}>
          <Shell />
        </Refine>
      </App>
    </ConfigProvider>
  );
}

import '@ant-design/v5-patch-for-react-19';
import '../../shared/ui/console/console.css';
import { Refine } from '@refinedev/core';
import routerProvider from '@refinedev/react-router';
import { App, ConfigProvider } from 'antd';
import { dataProvider } from '../../shared/data-provider.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { pages } from '../pages.js';
import { antdLocale, refineTexts } from './console-locale.js';
import { notifications } from './notifications.js';
import { Shell } from './shell.js';
import { useConsoleTheme } from './use-console-theme.js';

const resources = pages.flatMap(({ resource, path }) => (resource ? [{ name: resource, list: path }] : []));

/** The member console: Refine and its providers around the shell. Its chunk is the only one with antd. */
export function Console() {
  const theme = useConsoleTheme();
  // Their own name for it is English in every language.
  const closable = { 'aria-label': useTexts('shared')('close') };
  return (
    <ConfigProvider
      theme={theme}
      locale={antdLocale}
      button={{ autoInsertSpace: false }}
      modal={{ closable }}
      drawer={{ closable }}
    >
      <App>
        <Refine
          dataProvider={dataProvider}
          routerProvider={routerProvider}
          i18nProvider={refineTexts}
          notificationProvider={notifications}
          resources={resources}
          options={{
            disableTelemetry: true,
            syncWithLocation: true,
            warnWhenUnsavedChanges: false,
            reactQuery: { clientConfig: { defaultOptions: { queries: { retry: false, staleTime: 0 } } } },
          }}
        >
          <Shell />
        </Refine>
      </App>
    </ConfigProvider>
  );
}

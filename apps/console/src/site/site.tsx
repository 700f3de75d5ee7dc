import { Component, useEffect, useLayoutEffect, useMemo, type ReactNode } from 'react';
import { language } from '../shared/i18n/language.js';
import { useMessages } from '../shared/i18n/messages.js';
import { useDocumentTitle, usePageStart } from '../shared/page-frame.js';
import { SiteDataContext, type SiteData } from '../shared/site/site-data.js';
import { useBrand } from '../shared/site/use-site-info.js';
import { BrokenPage } from '../shared/ui/broken-page.js';
import { NavigationProgress } from '../shared/ui/navigation-progress.js';
import { ToastHost } from '../shared/ui/toast-host.js';
import { SiteLayout } from './layout/site-layout.js';
import type { ReadyPage } from './load-page.js';
import { canonicalOf } from './paths.js';
import { RoutingContext, type Navigate, type SiteLocation } from './shared/routing.js';
import { useSiteRouter } from './site-router.js';

/** Tells public/first-paint.js to repeat the last click before hydration. */
function ReplayClickBeforeHydration(): null {
  useLayoutEffect(() => void document.dispatchEvent(new Event('drawn')), []);
  useEffect(() => void document.dispatchEvent(new Event('hydrated')), []);
  return null;
}

type Props = { /** A change resets the boundary. */ resetKey: unknown; children: ReactNode };

/** Shows a message when rendering a page throws. */
class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError = (): { failed: boolean } => ({ failed: true });

  override componentDidUpdate({ resetKey }: Props): void {
    if (this.state.failed && resetKey !== this.props.resetKey) this.setState({ failed: false });
  }

  override render(): ReactNode {
    return this.state.failed ? <BrokenPage /> : this.props.children;
  }
}

type FrameProps = { page: ReadyPage; place: SiteLocation; visit: number; navigate: Navigate };

/** A page in its layout. */
function PageInLayout({ page: { row, Component }, place, visit, navigate }: FrameProps) {
  const routing = useMemo(() => ({ place, navigate }), [place, navigate]);
  return (
    <RoutingContext value={routing}>
      {row.layout === 'site' ? (
        <SiteLayout visit={visit}>
          <Component />
        </SiteLayout>
      ) : (
        <Component />
      )}
    </RoutingContext>
  );
}

/** Updates the canonical link on navigation. */
function useCanonicalAddress(pathname: string): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=canonical]');
    if (link) link.href = canonicalOf(new URL(link.href).origin, pathname, language);
  }, [pathname]);
}

type SiteProps = { data: SiteData; page: ReadyPage; place: SiteLocation };

/** The first page and those navigated to. */
function Pages({ page: first, place: at }: Omit<SiteProps, 'data'>) {
  const t = useMessages('site');
  const { view, loading, navigate } = useSiteRouter(first, at);
  const { page, place, visit, byHistory } = view;
  const brand = useBrand();
  useDocumentTitle(t(page.row.name), page.row.path === '/home' ? t('homeTitle', { brand }) : undefined);
  useCanonicalAddress(place.pathname);
  usePageStart(place.pathname, byHistory);
  return (
    <ErrorBoundary resetKey={visit}>
      {loading && <NavigationProgress />}
      <PageInLayout page={page} place={place} visit={visit} navigate={navigate} />
    </ErrorBoundary>
  );
}

/** The whole site, the same on the server and in the browser. `page` is at `place`; `data`: from the server. */
export function Site({ data, page, place }: SiteProps) {
  return (
    <SiteDataContext value={data}>
      <Pages page={page} place={place} />
      <ToastHost />
      <ReplayClickBeforeHydration />
    </SiteDataContext>
  );
}

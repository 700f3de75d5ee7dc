import { Component, useEffect, useMemo, type ReactNode } from 'react';
import { language } from '../shared/i18n/language.js';
import { useMessages } from '../shared/i18n/messages.js';
import { useDocumentTitle, usePageStart } from '../shared/page-frame.js';
import { SiteDataContext, type SiteData } from '../shared/site/site-data.js';
import { BrokenPage } from '../shared/ui/broken-page.js';
import { Going } from '../shared/ui/going.js';
import { ToastHost } from '../shared/ui/toast-host.js';
import { SiteLayout } from './layout/site-layout.js';
import type { ReadyPage } from './load-page.js';
import { canonicalOf } from './paths.js';
import { RoutingContext, type Navigate, type Place } from './shared/routing.js';
import { useSiteRouter } from './site-router.js';

/** Tells public/first-paint.js, which kept the last click before hydration, that clicks are handled now. */
function EarlyClicks(): null {
  useEffect(() => void document.dispatchEvent(new Event('clicks-handled')), []);
  return null;
}

type Props = { /** Another value means another page, which is tried again. */ resetKey: unknown; children: ReactNode };

/** A message in the place of a page that failed while rendering. */
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

type FrameProps = { page: ReadyPage; place: Place; visit: number; navigate: Navigate };

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

/** Pages that search engines may keep name their own address: the next page's is another one. */
function useCanonicalAddress(pathname: string): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=canonical]');
    if (link) link.href = canonicalOf(new URL(link.href).origin, pathname, language);
  }, [pathname]);
}

type SiteProps = { data: SiteData; page: ReadyPage; place: Place };

/** The page that was prerendered or comes first, and those that links lead to. */
function Pages({ page: first, place: at }: Omit<SiteProps, 'data'>) {
  const t = useMessages('site');
  const { view, loading, navigate } = useSiteRouter(first, at);
  const { page, place, visit, byHistory } = view;
  useDocumentTitle(t(page.row.name));
  useCanonicalAddress(place.pathname);
  usePageStart(place.pathname, byHistory);
  return (
    <ErrorBoundary resetKey={visit}>
      {loading && <Going />}
      <PageInLayout page={page} place={place} visit={visit} navigate={navigate} />
    </ErrorBoundary>
  );
}

/** The whole site, the same on the server and in the browser. `page` stands at `place`, the address; `data`: what the server knows of it. */
export function Site({ data, page, place }: SiteProps) {
  return (
    <SiteDataContext value={data}>
      <Pages page={page} place={place} />
      <ToastHost />
      <EarlyClicks />
    </SiteDataContext>
  );
}

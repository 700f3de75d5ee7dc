import { Component, type ReactNode } from 'react';
import { BrokenPage } from './broken-page.js';

type Props = { /** Another value means another page, which is tried again. */ resetKey: unknown; children: ReactNode };

/** A message in the place of a page that failed while rendering. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError = (): { failed: boolean } => ({ failed: true });

  override componentDidUpdate({ resetKey }: Props): void {
    if (this.state.failed && resetKey !== this.props.resetKey) this.setState({ failed: false });
  }

  override render(): ReactNode {
    return this.state.failed ? <BrokenPage /> : this.props.children;
  }
}

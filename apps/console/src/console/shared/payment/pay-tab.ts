import { freshKey } from '../../../shared/api/fresh-key.js';
import { messagesOf } from '../../../shared/i18n/messages.js';
import { submitPayForm, type PayForm } from './pay-form.js';

/** A tab of ours that waits for the gateway's page. */
export type PayTab = { submit: (form: PayForm) => boolean; close: () => void };

const say = messagesOf('payment');

/** Must be called by the click itself, before anything is awaited: browsers block what comes later. Null when it was blocked. */
export function openPayTab(): PayTab | null {
  const name = `pay-${freshKey()}`;
  const tab = window.open('about:blank', name);
  if (!tab) return null;
  tab.document.title = say('tabTitle');
  tab.document.body.style.cssText =
    'color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; padding: 15vh 24px; text-align: center';
  tab.document.body.textContent = say('opening');
  return {
    /** False when the person has closed the tab meanwhile. */
    submit: (form) => {
      if (tab.closed) return false;
      tab.opener = null; // the gateway's page has no hold on ours
      submitPayForm(form, name);
      return true;
    },
    close: () => tab.close(),
  };
}

import { DocPage } from '../../shared/doc/doc-page.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { thePolicies } from './content.js';

/** /privacy, beside the agreement. */
export default function PrivacyPage() {
  return <DocPage title={useMessages('site')('pagePrivacy')} doc={thePolicies().privacy} />;
}

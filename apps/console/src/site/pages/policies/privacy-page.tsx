import { DocPage } from '../../../shared/doc/doc-page.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { thePolicies } from './content.js';

/** /privacy, beside the agreement. */
export default function PrivacyPage() {
  return <DocPage title={useTexts('site')('pagePrivacy')} doc={thePolicies().privacy} />;
}

import { DocPage } from '../../shared/doc/doc-page.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { theContent } from './content.js';

/** /useDoc (specification §2): registration, operation, translation capture. */
export default function UseDocPage() {
  return <DocPage title={useMessages('site')('pageUseDoc')} doc={theContent()} />;
}

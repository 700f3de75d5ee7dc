import { DocPage } from '../../../shared/doc/doc-page.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { theContent } from './content.js';

/** /useDoc (specification §2): registration, operation, translation capture. */
export default function UseDocPage() {
  return <DocPage title={useTexts('site')('pageUseDoc')} doc={theContent()} />;
}

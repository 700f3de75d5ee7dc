/** All messages of the console in English, in one file: dozens of small ones would take longer to fetch than they are. */
import type { Table } from '../shared/i18n/messages.js';

export default import.meta.glob<Table>(['/src/shared/**/messages.en.ts', '/src/console/**/messages.en.ts'], {
  eager: true,
  import: 'default',
});

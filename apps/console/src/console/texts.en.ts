/** All messages of the console in English, in one file, which loads faster than dozens of small ones. */
import type { Table } from '../shared/i18n/messages.js';

export default import.meta.glob<Table>(['/src/shared/**/messages.en.ts', '/src/console/**/messages.en.ts'], {
  eager: true,
  import: 'default',
});

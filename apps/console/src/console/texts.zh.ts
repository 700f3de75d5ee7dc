/** All messages of the console in Chinese, in one file: dozens of small ones would take longer to fetch than they are. */
import type { Table } from '../shared/i18n/messages.js';

export default import.meta.glob<Table>(['/src/shared/**/messages.zh.ts', '/src/console/**/messages.zh.ts'], {
  eager: true,
  import: 'default',
});

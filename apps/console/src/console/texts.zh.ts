/** All messages of the console in Chinese, in one file, which loads faster than dozens of small ones. */
import type { Table } from '../shared/i18n/messages.js';

export default import.meta.glob<Table>(['/src/shared/**/messages.zh.ts', '/src/console/**/messages.zh.ts'], {
  eager: true,
  import: 'default',
});

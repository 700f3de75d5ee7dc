/** The console in English, in one file, which loads faster than dozens of small ones: its messages, Refine's, and antd's. dayjs is English by default. */
import antd from 'antd/es/locale/en_US.js';
import type { Table } from '../shared/i18n/messages.js';
import refine from '../shared/refine/refine-messages.en.js';

const tables = import.meta.glob<Table>(['/src/shared/**/messages.en.ts', '/src/console/**/messages.en.ts'], {
  eager: true,
  import: 'default',
  query: '?console', // copies: the site has its own files
});

export default { antd, refine, tables };

/** The operator console in English, in one file: its messages, Refine's, and antd's. dayjs is English by default. */
import antd from 'antd/es/locale/en_US.js';
import type { Table } from '../shared/i18n/messages.js';
import refine from '../shared/refine/refine-messages.en.js';

const tables = import.meta.glob<Table>(['/src/shared/**/messages.en.ts', '/src/operator/**/messages.en.ts'], {
  eager: true,
  import: 'default',
});

export default { antd, refine, tables };

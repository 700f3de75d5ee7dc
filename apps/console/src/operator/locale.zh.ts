/** The operator console in Chinese, in one file: its messages, Refine's, and antd's. */
import antd from 'antd/es/locale/zh_CN.js';
import dayjs from 'dayjs';
import 'dayjs/locale/zh-cn.js';
import type { Table } from '../shared/i18n/messages.js';
import refine from '../shared/refine/refine-messages.zh.js';

dayjs.locale('zh-cn');

const tables = import.meta.glob<Table>(['/src/shared/**/messages.zh.ts', '/src/operator/**/messages.zh.ts'], {
  eager: true,
  import: 'default',
});

export default { antd, refine, tables };

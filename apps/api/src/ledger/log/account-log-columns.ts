import { changeTagOf } from '@yiqiao/contracts/account-log';
import type { Language } from '@yiqiao/contracts/envelope';
import { CHANGE_TAGS } from '@yiqiao/domain/explanations';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { BILLING_MODES, type BillingMode } from '@yiqiao/domain/plans';
import type { Column } from '../../platform/csv.js';
import type { AccountLogRow } from './account-log-rows.js';

/** What ids and codes of a row are called, in the language of the reader. */
export type Words = { language: Language; channels: ReadonlyMap<number, string> };

type Of<Row> = Column<Row>['value'];

const FEN = 100;

/** The account log as a table: every field of the specification (§3), what a person reads first in front. */
export function accountLogColumns({ language, channels }: Words): Column<AccountLogRow>[] {
  const columns: Column<AccountLogRow>[] = [];
  const add = (zh: string, en: string, value: Of<AccountLogRow>): void => void columns.push({ zh, en, value });
  const channel = (id: number | null): string | null => (id === null ? null : (channels.get(id) ?? String(id)));
  const mode = (of: BillingMode | null): string | null => of && BILLING_MODES[of][language];

  add('时间', 'Time', (row) => row.createDateTime);
  add('类型', 'Type', (row) => ENTRY_TYPES[row.logType][language]);
  add('变动', 'Change', (row) => CHANGE_TAGS[changeTagOf(row)][language]);
  add('说明', 'Explanation', (row) => row.explanation);
  add('字符变动', 'Characters, change', (row) => row.charChangeNum);
  add('字符变动前', 'Characters before', (row) => row.beforeCharNum);
  add('字符变动后', 'Characters after', (row) => row.lastCharNum);
  add('时长变动（分钟）', 'Minutes, change', (row) => row.minChangeNum);
  add('到期时间变动前', 'Expiry before', (row) => row.beforeExpireDateTime);
  add('到期时间变动后', 'Expiry after', (row) => row.lastExpireDateTime);
  add('语音变动', 'Voice uses, change', (row) => row.voiceChangeNum);
  add('语音变动前', 'Voice uses before', (row) => row.beforeVoiceNum);
  add('语音变动后', 'Voice uses after', (row) => row.lastVoiceNum);
  add('图片变动', 'Images, change', (row) => row.imageChangeNum);
  add('图片变动前', 'Images before', (row) => row.beforeImageNum);
  add('图片变动后', 'Images after', (row) => row.lastImageNum);
  add('用量（字符）', 'Characters used', (row) => row.usedCharNum);
  add('通道变动前', 'Channel before', (row) => channel(row.beforeTranChannelId));
  add('通道变动后', 'Channel after', (row) => channel(row.lastTranChannelId));
  add('计费方式变动前', 'Billing before', (row) => mode(row.beforeTranslationBillingMode));
  add('计费方式变动后', 'Billing after', (row) => mode(row.lastTranslationBillingMode));
  add('支付金额（元）', 'Paid (CNY)', (row) => row.amount / FEN);
  add('充值订单号', 'Order number', (row) => row.rechargeOrderByMemberGroupNo);
  add('会员组', 'Plan', (row) => row.rechargeMemberGroupName);
  add('充值通道', 'Channel of the plan', (row) => channel(row.rechargeTranChannelId));
  add('充值计费方式', 'Billing of the plan', (row) => mode(row.rechargeTranslationBillingMode));
  add('消费通道', 'Channel used', (row) => channel(row.consumeTranChannelId));
  add('翻译配置编号', 'Configuration used', (row) => row.consumeTranslationConfigId);
  add('消费 IP', 'IP of the use', (row) => row.consumerIp);
  add('主账号', 'Main account', (row) => row.parentUserName);
  add('子账号', 'Sub-account', (row) => row.childUserName);
  add('管理员编号', 'Operator id', (row) => row.managerId);
  add('管理员', 'Operator', (row) => row.managerName);
  add('原因', 'Reason', (row) => row.reason);
  add('编号', 'Id', (row) => row.id);
  return columns;
}

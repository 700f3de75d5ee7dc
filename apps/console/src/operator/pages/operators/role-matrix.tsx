import {
  OPERATOR_ACTIONS,
  OPERATOR_ROLES,
  operatorRoles,
  type OperatorAction,
  type OperatorActionRule,
} from '@yiqiao/domain/operators';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Card } from '../../../shared/ui/card.js';
import { Icon } from '../../../shared/ui/icon.js';

/** The actions of a row have one rule; `above`: what the rule says above the limits. */
type Row = { name: `row_${string}`; actions: readonly OperatorAction[]; above?: true };

const GROUPS = [
  {
    name: 'group_see',
    rows: [
      { name: 'row_read', actions: ['read'] },
      { name: 'row_audit', actions: ['audit.run', 'proof.export', 'whatIf.run'] },
      { name: 'row_reveal', actions: ['personalData.reveal'] },
    ],
  },
  {
    name: 'group_member',
    rows: [
      { name: 'row_member', actions: ['member.signOut', 'member.enable', 'member.passwordMail', 'member.viewAs'] },
      { name: 'row_below', actions: ['quota.adjust', 'plan.grant'] },
      { name: 'row_above', actions: ['quota.adjust', 'plan.grant'], above: true },
    ],
  },
  {
    name: 'group_money',
    rows: [
      { name: 'row_refund', actions: ['payment.refund'] },
      { name: 'row_settle', actions: ['payment.settle', 'payment.closeException', 'statement.import'] },
      { name: 'row_prices', actions: ['price.change'] },
      { name: 'row_vendors', actions: ['vendorAccount.change'] },
      { name: 'row_keys', actions: ['vendorAccount.setKey'] },
    ],
  },
  { name: 'group_site', rows: [{ name: 'row_content', actions: ['notice.change', 'content.change'] }] },
  {
    name: 'group_control',
    rows: [
      { name: 'row_decide', actions: ['request.decide'] },
      { name: 'row_operators', actions: ['operator.create', 'limits.change'] },
      { name: 'row_roles', actions: ['operator.changeRole', 'operator.end', 'readOnly.lift'] },
    ],
  },
] as const satisfies readonly { name: string; rows: readonly Row[] }[];

function Cell({ rule, allowed, above }: { rule: OperatorActionRule; allowed: boolean; above: boolean }) {
  const t = useMessages('operators');
  if (!allowed)
    return (
      <span className="matrix-no">
        —<span className="visually-hidden">{t('cannot')}</span>
      </span>
    );
  if (rule.approval === 'always' || above) return <span className="matrix-two">{t('twoPersons')}</span>;
  return (
    <span className="matrix-yes">
      <Icon name="check" />
      {rule.code ? <span className="muted">{t('withCode')}</span> : <span className="visually-hidden">{t('can')}</span>}
    </span>
  );
}

/** Role × action, from the table that rules the API. */
export function RoleMatrix() {
  const t = useMessages('operators');
  return (
    <Card title={t('who')} note={t('whoNote')} className="span-12">
      <div className="table-scroll">
        <table className="role-matrix">
          <thead>
            <tr>
              <th scope="col">{t('action')}</th>
              {operatorRoles.map((role) => (
                <th key={role} scope="col">
                  {OPERATOR_ROLES[role][language]}
                </th>
              ))}
            </tr>
          </thead>
          {GROUPS.map((group) => (
            <tbody key={group.name}>
              <tr className="matrix-group">
                <th colSpan={operatorRoles.length + 1} scope="rowgroup">
                  {t(group.name)}
                </th>
              </tr>
              {group.rows.map((row) => {
                const rule: OperatorActionRule = OPERATOR_ACTIONS[row.actions[0]];
                return (
                  <tr key={row.name}>
                    <th scope="row">{t(row.name)}</th>
                    {operatorRoles.map((role) => (
                      <td key={role}>
                        <Cell rule={rule} allowed={rule.roles.includes(role)} above={'above' in row} />
                      </td>
                    ))}
                  </tr>
                );
              })}
            </tbody>
          ))}
        </table>
      </div>
    </Card>
  );
}

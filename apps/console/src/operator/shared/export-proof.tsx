import { useCan } from '@refinedev/core';
import { exportProof } from '@yiqiao/contracts/operator/accounts';
import { getLedgerStatus } from '@yiqiao/contracts/operator/audits';
import { OPERATOR_BASE_PATH } from '@yiqiao/contracts/operator/endpoint';
import { fillPath } from '@yiqiao/contracts/endpoint';
import { Button, Tooltip } from 'antd';
import { useMessages } from '../../shared/i18n/messages.js';
import { useEndpoint } from '../../shared/refine/use-endpoint.js';
import { Icon } from '../../shared/ui/icon.js';

type ExportProps = {
  userId: number;
  familyId: number;
  /** The page has seen that its chain does not hold. */
  broken?: boolean;
  look?: 'button-primary' | 'button-default';
};

/** Downloads the proof of an account; off, with the reason, while its chain is broken or its family read-only (OPERATOR.md §4). */
export function ExportProof({ userId, familyId, broken = false, look = 'button-default' }: ExportProps) {
  const t = useMessages('operator');
  const { data: may } = useCan({ resource: 'replay', action: 'proof.export' });
  const { data: status } = useEndpoint(getLedgerStatus, {});
  const isOff = broken || status?.readOnly.some((family) => family.familyId === familyId) === true;
  if (isOff || !may?.can)
    return (
      <Tooltip title={isOff ? t('proofOff') : may?.reason}>
        <Button icon={<Icon name="download" />} disabled>
          {t('exportProof')}
        </Button>
      </Tooltip>
    );
  const { path } = fillPath(exportProof.path, { userId });
  return (
    <a className={`button ${look}`} href={OPERATOR_BASE_PATH + path} title={t('exportProofWhy')} download>
      <Icon name="download" />
      {t('exportProof')}
    </a>
  );
}

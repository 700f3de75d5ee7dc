import { useCan } from '@refinedev/core';
import type { OperatorAction } from '@yiqiao/domain/operators';
import { Tooltip } from 'antd';
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../../shared/ui/icon.js';

type ButtonProps = { action: OperatorAction; icon?: IconName; look?: string; onClick: () => void; children: ReactNode };

/** A button for an action of the roles; without the role it says who may. */
export function ActionButton({ action, icon, look = 'button-default', onClick, children }: ButtonProps) {
  const { data } = useCan({ resource: 'members', action });
  const button = (
    <button type="button" className={`button ${look}`} disabled={!data?.can} onClick={onClick}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
  return data && !data.can ? (
    <Tooltip title={data.reason}>
      <span>{button}</span>
    </Tooltip>
  ) : (
    button
  );
}

import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';

function ClearIcon() {
  return (
    <>
      <Icon name="close" />
      <span className="visually-hidden">{useMessages('console')('clear')}</span>
    </>
  );
}

/** `allowClear` of antd's Input with a translated name. */
export const clearable = { clearIcon: <ClearIcon /> };

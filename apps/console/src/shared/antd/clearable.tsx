import { useMessages } from '../i18n/messages.js';
import { Icon } from '../ui/icon.js';

function ClearIcon() {
  return (
    <>
      <Icon name="close" />
      <span className="visually-hidden">{useMessages('shared')('clear')}</span>
    </>
  );
}

/** `allowClear` of antd with a translated name. */
export const clearable = { clearIcon: <ClearIcon /> };

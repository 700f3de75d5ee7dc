import { Input, type InputProps } from 'antd';
import { useState } from 'react';
import { useMessages } from '../i18n/messages.js';
import { Icon } from '../ui/icon.js';

/** A password whose eye the keyboard reaches; antd's own is a picture without a translated name. */
export function PasswordInput(props: InputProps) {
  const t = useMessages('shared');
  const [shown, setShown] = useState(false);
  return (
    <Input
      {...props}
      type={shown ? 'text' : 'password'}
      suffix={
        <button
          type="button"
          className="close-button password-toggle"
          aria-label={t(shown ? 'hidePassword' : 'showPassword')}
          // The field keeps its focus: leaving it would check it.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setShown(!shown)}
        >
          <Icon name={shown ? 'eyeOff' : 'eye'} />
        </button>
      }
    />
  );
}

import { Select } from 'antd';
import { useLanguages } from '../../shared/use-languages.js';

type LanguageFieldProps = {
  id?: string;
  label: string;
  placeholder: string;
  /** The code; undefined means none. antd's form hands these two over. */
  value?: string | undefined;
  onChange?: (code: string | undefined) => void;
  optional?: boolean;
  className?: string;
  'aria-required'?: 'true';
};

/** Selects any language, searchable by code and by its names in both languages. */
export function LanguageField(props: LanguageFieldProps) {
  // antd's Select would put the form's `aria-required` on an element where ARIA does not allow it.
  const { optional = false, label, onChange, 'aria-required': _required, ...rest } = props;
  const { all } = useLanguages();
  return (
    <Select
      {...rest}
      showSearch
      allowClear={optional}
      aria-label={label}
      optionFilterProp="names"
      filterOption={(typed, option) => option?.names.includes(typed.trim().toLowerCase()) ?? false}
      options={all.map(({ code, name, names }) => ({ value: code, label: name, names }))}
      {...(onChange ? { onChange: (code: string | undefined) => onChange(code) } : {})}
    />
  );
}

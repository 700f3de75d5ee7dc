/** Invisible: tells a password manager whose password the form is about. */
export const UsernameField = ({ value }: { value: string }) => (
  <input
    className="visually-hidden"
    type="text"
    autoComplete="username"
    value={value}
    readOnly
    tabIndex={-1}
    aria-hidden
  />
);

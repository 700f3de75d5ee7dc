/** Hides the step buttons of antd's InputNumber from screen readers: their names are English, and the field itself takes the arrow keys. */
export function hideSteps(field: { nativeElement: HTMLElement } | null): void {
  field?.nativeElement.querySelector('.ant-input-number-handler-wrap')?.setAttribute('aria-hidden', 'true');
}

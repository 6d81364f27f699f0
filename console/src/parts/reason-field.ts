import type { TFunction } from 'i18next'
import type { ActionField } from './field-input.tsx'

/** Field for the person's reason, which the audit log shows. */
export function reasonField(t: TFunction): ActionField {
  return { name: 'reason', label: t('parts.reason'), kind: 'long', hint: t('parts.reasonHint') }
}

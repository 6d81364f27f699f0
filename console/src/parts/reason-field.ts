import type { TFunction } from 'i18next'
import type { ActionField } from './field-input.tsx'

/** Why a person does it: the audit log shows the text. */
export function reasonField(t: TFunction): ActionField {
  return { name: 'reason', label: t('parts.reason'), kind: 'long', hint: t('parts.reasonHint') }
}

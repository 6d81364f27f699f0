import { useTranslation } from 'react-i18next'
import { useMay } from '../api/me.ts'
import type { ActionField } from '../parts/field-input.tsx'

/** Returns the field that adds personal data to a file, if the person may read them. */
export function usePersonalField(label: string): ActionField[] {
  const { t } = useTranslation()
  const may = useMay()
  if (!may('personal')) return []
  const options = [{ value: 'yes', label }]
  return [{ name: 'personal', label: t('reports.personal'), kind: 'choices', options, isOptional: true }]
}

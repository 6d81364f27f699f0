import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/client.ts'

/** Describes an entry in words. Shows types without a text unchanged. */
export function useEntryText(): (entry: Pick<Schemas['TimelineEntry'], 'source' | 'type'>) => string {
  const { t, i18n } = useTranslation()
  return ({ source, type }) => {
    const key = `timeline.types.${(source === 'chain_op' ? `chain_op.${type}` : type).replaceAll('.', '_')}`
    return i18n.exists(key) ? t(key as 'timeline.types.note') : type.replaceAll(/[._]/g, ' ')
  }
}

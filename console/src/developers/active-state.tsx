import { useTranslation } from 'react-i18next'
import { State } from '../parts/state.tsx'

/** Shows whether a credential or provider is in use. A disabled one stays disabled. */
export function ActiveState({ disabled_at: disabledAt }: { disabled_at: string | null }) {
  const { t } = useTranslation()
  return disabledAt ? <State state="failed" label={t('developers.disabled')} /> : <State state="ACTIVE" />
}

import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/client.ts'

/** Name of a holder, as a link to the investor. Some addresses belong to no account. */
export function HolderName({ holder }: { holder: Pick<Schemas['Holder'], 'name' | 'account_id'> }) {
  const { t } = useTranslation()
  if (holder.account_id === null) return <span className="muted">{t('register.unknown')}</span>
  return (
    <Link className="plain" to="/investors/$accountId" params={{ accountId: holder.account_id }}>
      {holder.name ?? '–'}
    </Link>
  )
}

import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

export function NotFound() {
  const { t } = useTranslation()
  return (
    <div className="page">
      <h1>{t('shell.notFound')}</h1>
      <p className="muted">{t('shell.notFoundText')}</p>
      <Link className="link" to="/">
        {t('shell.home')}
      </Link>
    </div>
  )
}

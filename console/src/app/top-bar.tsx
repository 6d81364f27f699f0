import { ActionIcon } from '@mantine/core'
import { IconKeyboard, IconSearch } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useMe } from '../api/me.ts'
import { metaContent } from './meta.ts'
import { openPalette } from './open-palette.ts'

const PersonMenu = lazy(async () => ({ default: (await import('./person-menu.tsx')).PersonMenu }))

export function TopBar({ onHelp }: { onHelp: () => void }) {
  const { t } = useTranslation()
  const me = useMe()
  const environment = metaContent('environment')
  return (
    <>
      <div className="line">
        <strong className="cut">{me.tenant.name}</strong>
        {(environment === 'development' || environment === 'staging') && (
          <span className={`environment environment-${environment}`}>{t(`shell.${environment}`)}</span>
        )}
      </div>
      <div className="line">
        <button type="button" className="search-button" onClick={openPalette}>
          <IconSearch size={15} />
          {t('shell.search')}
          <kbd>Ctrl K</kbd>
        </button>
        <ActionIcon variant="subtle" color="gray" aria-label={t('shell.keys')} onClick={onHelp}>
          <IconKeyboard size={18} />
        </ActionIcon>
        <Suspense fallback={<span style={{ width: 28 }} />}>
          <PersonMenu />
        </Suspense>
      </div>
    </>
  )
}

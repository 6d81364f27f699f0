import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconUserCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { api } from '../api/client.ts'
import { useMe } from '../api/me.ts'
import { goToPasskeys } from '../api/sign-in.ts'
import { chooseLanguage, type Language, languages } from '../text/texts.ts'
import { signOut } from './sign-out.ts'

/** Reloads the page, so that no data of the other tenant stays in memory. */
async function switchTo(tenantId: string): Promise<void> {
  await api.post('/switch-tenant', { body: { tenant_id: tenantId } })
  location.assign('/console')
}

export function PersonMenu() {
  const { t, i18n } = useTranslation()
  const me = useMe()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const check = (isChosen: boolean) => (isChosen ? <IconCheck size={14} /> : <span style={{ width: 14 }} />)
  return (
    <Menu width={230}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('shell.person', { name: me.user.name })}>
          <IconUserCircle size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{me.user.name}</Menu.Label>
        <Menu.Item onClick={goToPasskeys}>{t('shell.passkeys')}</Menu.Item>
        {me.tenants
          .filter(({ id }) => id !== me.tenant.id)
          .map(({ id, name }) => (
            <Menu.Item key={id} onClick={() => void switchTo(id)}>
              {t('shell.switchTo', { name })}
            </Menu.Item>
          ))}
        <Menu.Divider />
        <Menu.Label>{t('shell.appearance')}</Menu.Label>
        {(['light', 'dark', 'auto'] as const).map((scheme) => (
          <Menu.Item key={scheme} leftSection={check(colorScheme === scheme)} onClick={() => setColorScheme(scheme)}>
            {t(`shell.${scheme}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('shell.language')}</Menu.Label>
        {Object.entries(languages).map(([language, name]) => (
          <Menu.Item
            key={language}
            leftSection={check(i18n.language === language)}
            onClick={() => void chooseLanguage(language as Language)}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void signOut()}>{t('shell.signOut')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

interface MoreMenuProps {
  readonly actions: readonly { readonly id: string; readonly label: string; readonly isDangerous?: boolean }[]
  readonly isCompact: boolean
  readonly onChoose: (id: string) => void
}

/** Menu of the actions that are not worth a button. */
export function MoreMenu({ actions, isCompact, onChoose }: MoreMenuProps) {
  const { t } = useTranslation()
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon
          variant={isCompact ? 'subtle' : 'default'}
          color="gray"
          size={isCompact ? 22 : 30}
          aria-label={t('parts.more')}
        >
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ id, label, isDangerous }) => (
          <Menu.Item key={id} {...(isDangerous && { className: 'tone-failed' })} onClick={() => onChoose(id)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

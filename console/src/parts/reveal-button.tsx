import { ActionIcon } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { notifyProblem } from './notify-problem.ts'

/** Shows what is masked. The service audits each call, so it is made on request and never with the page. */
export function RevealButton({ reveal }: { reveal: () => Promise<void> }) {
  const { t } = useTranslation()
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-label={t('parts.reveal')}
      title={t('parts.reveal')}
      onClick={() => void reveal().catch(notifyProblem)}
    >
      <IconEye size={14} />
    </ActionIcon>
  )
}

import { ActionIcon } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '../api/me.ts'
import { notifyProblem } from './notify-problem.ts'

interface MaskedProps {
  /** Masked value from the API. */
  readonly value: string | null
  /** Reads it in full. The service audits each call. */
  readonly reveal: () => Promise<string | null | undefined>
}

/** Personal data, masked until a person with the duty reveals it. */
export function Masked({ value, reveal }: MaskedProps) {
  const { t } = useTranslation()
  const may = useMay()
  const [shown, setShown] = useState<string>()
  if (!value) return <span className="muted">–</span>
  if (shown !== undefined) return <span className="mono">{shown}</span>
  return (
    <span className="line" style={{ display: 'inline-flex' }}>
      <span className="mono">{value}</span>
      {may('personal') && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={t('parts.reveal')}
          title={t('parts.reveal')}
          onClick={() => {
            reveal().then((found) => setShown(found ?? '–'), notifyProblem)
          }}
        >
          <IconEye size={14} />
        </ActionIcon>
      )}
    </span>
  )
}

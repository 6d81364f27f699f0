import { useState } from 'react'
import { useMay } from '../api/me.ts'
import { RevealButton } from './reveal-button.tsx'

interface MaskedProps {
  /** Masked value from the API. */
  readonly value: string | null
  /** Reads it in full. The service audits each call. */
  readonly reveal: () => Promise<string | null | undefined>
}

/** Personal data, masked until a person with the duty reveals it. */
export function Masked({ value, reveal }: MaskedProps) {
  const may = useMay()
  const [shown, setShown] = useState<string>()
  if (!value) return <span className="muted">–</span>
  if (shown !== undefined) return <span className="mono">{shown}</span>
  return (
    <span className="line" style={{ display: 'inline-flex' }}>
      <span className="mono">{value}</span>
      {may('personal') && <RevealButton reveal={async () => setShown((await reveal()) ?? '–')} />}
    </span>
  )
}

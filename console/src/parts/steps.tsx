import { IconCircleCheck, IconCircleDashed, IconCircleX, IconProgress } from '@tabler/icons-react'
import { Time } from './time.tsx'

export interface Step {
  readonly name: string
  readonly state: 'done' | 'current' | 'open' | 'failed'
  readonly at?: string | null
  /** True if `at` is the time of a bank entry, which may be only a day. */
  readonly isBooking?: boolean
}

const marks = {
  done: <IconCircleCheck size={16} className="tone-done" aria-hidden />,
  current: <IconProgress size={16} className="tone-progress" aria-hidden />,
  open: <IconCircleDashed size={16} className="tone-waiting" aria-hidden />,
  failed: <IconCircleX size={16} className="tone-failed" aria-hidden />,
}

/** Progress of an object through its steps. */
export function Steps({ steps, label }: { steps: readonly Step[]; label: string }) {
  return (
    <ol className="steps" aria-label={label}>
      {steps.map(({ name, state, at, isBooking = false }) => (
        <li key={name} className={`step-${state}`} {...(state === 'current' && { 'aria-current': 'step' as const })}>
          <span className="step-mark">{marks[state]}</span>
          <div style={{ fontWeight: state === 'current' ? 600 : 400 }}>{name}</div>
          {at && (
            <div className="small muted">
              <Time time={at} isBooking={isBooking} />
            </div>
          )}
        </li>
      ))}
    </ol>
  )
}

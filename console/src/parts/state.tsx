import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconCircleX, IconProgress } from '@tabler/icons-react'

/** Grey: waits. Blue: in progress. Green: done. Amber: needs a person. Red: failed. */
export type Tone = 'waiting' | 'progress' | 'done' | 'attention' | 'failed'

const icons = {
  waiting: IconCircleDashed,
  progress: IconProgress,
  done: IconCircleCheck,
  attention: IconAlertTriangle,
  failed: IconCircleX,
}

/** Tones of states, so that a colour means the same on every screen. All others wait. */
const toneOf: Readonly<Record<string, Tone>> = {
  // offerings
  OPEN: 'progress',
  PAUSED: 'attention',
  CLOSED: 'done',
  // orders
  PAID: 'progress',
  READYTOMINT: 'progress',
  MINTING: 'progress',
  MINTED: 'done',
  NOPAYMENT: 'failed',
  CANCELLED: 'failed',
  // distributions
  CALCULATING: 'progress',
  CALCULATED: 'attention',
  PAYING: 'progress',
  set_apart: 'attention',
  paid: 'done',
  returned: 'failed',
  active: 'done',
  // results of KYC providers
  queued: 'attention',
  applied: 'done',
  // transfers
  REQUESTED: 'attention',
  READY: 'progress',
  SENT: 'progress',
  DONE: 'done',
  accepted: 'done',
  reported: 'failed',
  // accounts and wallets
  PENDING: 'attention',
  APPROVED: 'done',
  REJECTED: 'failed',
  DEACTIVATED: 'failed',
  ACTIVE: 'done',
  SUSPENDED: 'attention',
  EXPIRED: 'failed',
  // approvals and token actions
  pending: 'attention',
  confirmed: 'done',
  rejected: 'failed',
  expired: 'failed',
  executing: 'progress',
  executed: 'done',
  reverted: 'failed',
  cancelled: 'failed',
  alarm: 'failed',
  // money
  open: 'attention',
  assigned: 'done',
  due: 'attention',
  sent: 'progress',
  settled: 'done',
  failed: 'failed',
  released: 'progress',
  downloaded: 'progress',
  booked: 'done',
  unassigned: 'attention',
  needs_attention: 'attention',
  resolved: 'done',
  refund_settled: 'done',
  refund_failed: 'failed',
  payment_reversed: 'failed',
  // chain ops
  RESERVED: 'progress',
  SIGNED: 'progress',
  MINED: 'progress',
  FINAL: 'done',
  REVERTED: 'failed',
  ALARM: 'failed',
  // webhooks
  DELIVERED: 'done',
  FAILED: 'failed',
  DROPPED: 'failed',
}

/** Shows a state as an icon and a word, because some people cannot tell the colours apart. */
export function State({ state, tone, label }: { state: string; tone?: Tone; label?: string }) {
  const chosen = tone ?? toneOf[state] ?? 'waiting'
  const Icon = icons[chosen]
  return (
    <span className={`state tone-${chosen}`}>
      <Icon size={15} stroke={2} aria-hidden />
      {label ?? state.replaceAll('_', ' ')}
    </span>
  )
}

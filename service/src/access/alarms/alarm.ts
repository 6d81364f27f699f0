import type { OperatorEventType } from '../../records/events/event-types.ts'

interface Alarm {
  readonly subject: string
  readonly meaning: string
  readonly remedy: string
  /** Path of the console page that shows it, below /console. */
  readonly page: string
}

/**
 * Problems that only a person can fix, by event type. People with the duty `settlement` get a mail, because nobody may
 * have the console open.
 */
export const alarms = {
  'chain_op.alarm': {
    subject: 'The result of a transaction is unknown',
    meaning: 'A transaction was sent with a nonce that another one has used. The service does not send it again.',
    remedy: 'Find out on the chain what happened, then attach the transaction or retry the chain op.',
    page: 'work/chain_op_failed',
  },
  'chain_op.reverted': {
    subject: 'The chain rejected a transaction',
    meaning: 'A token action, a deployment or a registration did not happen.',
    remedy: 'The chain op shows the reason. Remove the cause, then retry it.',
    page: 'work/chain_op_failed',
  },
  'offering.minting_stopped': {
    subject: 'Minting of an offering has stopped',
    meaning: 'The ledger differs from the chain, or the nodes of the chain disagree. Paid orders wait.',
    remedy: 'The offering shows the difference. Find its cause before you resume minting.',
    page: 'work/minting_stopped',
  },
  'offering.token_unreadable': {
    subject: 'The transfers of a token cannot be read',
    meaning: 'A block has so many of them that no node returns them. Orders of the offering wait; all others go on.',
    remedy: 'The service tries again and resumes by itself. If it lasts, use a node with higher limits.',
    page: 'settlement',
  },
  'order.mint_contradicted': {
    subject: 'A mint contradicts its order',
    meaning: 'Tokens exist for an order that was not paid, was cancelled or has another number of units.',
    remedy: 'If the mint is not yours, a key may be stolen: stop minting and pause the token.',
    page: 'settlement',
  },
  'signer.gas_low': {
    subject: 'A signer is low on gas',
    meaning: 'The signer pays for fewer than about fifty mints. Without gas, paid orders wait.',
    remedy: 'Send gas to its address. Waiting transactions go on by themselves.',
    page: 'work/gas_low',
  },
  'tenant.files_filling': {
    subject: 'Four fifths of the room for files are used',
    meaning: 'Documents, imported bank files and exports share a limit. Once it is reached, none can be added.',
    remedy: 'Delete documents that are not needed, or ask those who run this installation to raise the limit.',
    page: 'settings',
  },
} as const satisfies Partial<Record<OperatorEventType, Alarm>>

export type AlarmType = keyof typeof alarms
export const alarmTypes = Object.keys(alarms) as AlarmType[]

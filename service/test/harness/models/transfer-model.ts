import type { Address } from 'viem'
import type { TokenLog } from '../../../src/tokens/logs/token-log.sql.ts'
import {
  isForced,
  isOpen,
  isWithinAccount,
  type TransferReason,
  type TransferStatus,
} from '../../../src/tokens/transfers/transfer-status.ts'
import { movesOf } from '../../../src/tokens/transfers/transfer-step.sql.ts'
import type { Party } from '../data/fixtures.ts'
import type { Expected } from './order-model.ts'

export interface ModelTransfer {
  id: string
  from: Party
  to: Party
  units: bigint
  reason: TransferReason
  status: TransferStatus
  /** The log that fulfilled it. */
  log: string | undefined
  /** The op of a forced transfer of its units, enqueued or executed. */
  opId: string | undefined
}

/** Facts that decide about a transfer, as of the last finalized block. */
export interface ModelFacts {
  isLockedUp: boolean
  isFreezing: boolean
  balanceOf(address: Address): bigint
  frozenOf(address: Address): bigint
  isRegistered(address: Address): boolean
  isApproved(party: Party): boolean
}

const notInState = 'transfer_not_in_state'
const keyOf = ({ blockHash, logIndex }: TokenLog) => `${blockHash} ${logIndex}`

/** A second, simpler implementation of requested transfers and of how logs of the chain fulfil them. */
export class TransferModel {
  readonly transfers: ModelTransfer[] = []
  /** Number of finalized transfers that no request explains. */
  unrequested = 0

  approve(transfer: ModelTransfer, facts: ModelFacts): Expected {
    if (transfer.status === 'APPROVED' || transfer.status === 'READY') return undefined
    if (transfer.status !== 'REQUESTED') return notInState
    if (isBlocked(transfer, facts)) return 'transfer_blocked'
    transfer.status = facts.isRegistered(transfer.to.address) ? 'READY' : 'APPROVED'
    return undefined
  }

  close(transfer: ModelTransfer, to: 'CANCELLED' | 'REJECTED'): Expected {
    if (transfer.status === to) return undefined
    if (!isOpen(transfer.status) || transfer.opId !== undefined) return notInState
    transfer.status = to
    return undefined
  }

  /** Forces a transfer. The caller sets the op if this may succeed. */
  force(transfer: Readonly<ModelTransfer>, facts: ModelFacts): Expected {
    if (transfer.status !== 'READY' || !isForced(transfer.reason)) return notInState
    if (isBlocked(transfer, facts)) return 'transfer_blocked'
    return transfer.opId === undefined ? undefined : notInState
  }

  /** Applies the registration of wallets with the token. */
  registered(addresses: readonly Address[]): void {
    for (const transfer of this.transfers)
      if (transfer.status === 'APPROVED' && addresses.includes(transfer.to.address)) transfer.status = 'READY'
  }

  /** Applies the failure of an op, so that its transfer can be forced again. */
  failed(opId: string): void {
    for (const transfer of this.transfers) if (transfer.opId === opId) transfer.opId = undefined
  }

  /**
   * Applies a block's logs. Each fulfils the oldest request that fits; a log of an op fulfils only the request that the
   * op forced.
   */
  mined(logs: readonly TokenLog[], opId: string | undefined): void {
    for (const log of movesOf(logs)) {
      if (this.transfers.some((one) => one.log === keyOf(log))) continue
      const [oldest] = this.transfers
        .filter(({ status, from, to, units, reason, opId: ownOpId }) => {
          const isFitting = from.address === log.from && to.address === log.to && units === log.units
          return status === 'READY' && isFitting && ownOpId === opId && (opId !== undefined || !isForced(reason))
        })
        .toSorted((one, other) => (one.id < other.id ? -1 : 1))
      if (oldest) Object.assign(oldest, { status: 'SENT', log: keyOf(log) })
    }
  }

  finalized(logs: readonly TokenLog[], opId: string | undefined): void {
    this.mined(logs, opId)
    for (const log of movesOf(logs)) {
      const transfer = this.transfers.find((one) => one.log === keyOf(log))
      if (transfer) transfer.status = 'DONE'
      else if (opId === undefined) this.unrequested += 1
    }
  }

  reorged(): void {
    for (const transfer of this.transfers)
      if (transfer.status === 'SENT') Object.assign(transfer, { status: 'READY', log: undefined })
  }
}

function isBlocked({ from, to, units, reason }: Readonly<ModelTransfer>, facts: ModelFacts): boolean {
  const balance = facts.balanceOf(from.address)
  const waitsForLockUp = !isWithinAccount(reason) && reason !== 'inheritance'
  return (
    (facts.isLockedUp && waitsForLockUp) ||
    facts.isFreezing ||
    balance - facts.frozenOf(from.address) < units ||
    balance < units ||
    (!isForced(reason) && !facts.isRegistered(from.address)) ||
    !facts.isApproved(to)
  )
}

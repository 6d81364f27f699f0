import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { AccountType, ApprovalStatus } from '../../sales/accounts/account.sql.ts'
import { accountIneligibility, type Ineligibility } from '../../sales/blockers/ineligibility.sql.ts'
import type { ChainOpState } from '../chain-ops/chain-op.ts'
import { frozenUnits } from '../register/address-history.sql.ts'
import type { TokenTransferRow } from './transfer.sql.ts'

/** Everything that decides whether units may be transferred, as of the last finalized block. */
export interface TransferFacts {
  blockchain: string
  offeringStatus: string
  lockUpUntil: Date | null
  tokenEnforcesLockUp: boolean
  isTokenMissing: boolean
  isTokenUnreadable: boolean
  mintingStopped: string | null
  isSenderActive: boolean
  isSenderRegistered: boolean
  isReceiverActive: boolean
  isReceiverRegistered: boolean
  receiverType: AccountType
  receiverApproval: ApprovalStatus
  benefitingPersonCount: number
  ineligibility: Ineligibility[]
  balance: string
  frozen: string
  /** True if a freeze is on its way to the chain, or from there to the register: it may concern these units. */
  isFreezing: boolean
  /** State of the forced transfer. */
  opState: ChainOpState | null
}

export async function findTransferFacts(
  tx: Transaction,
  tenantId: string,
  { id, offeringId }: Pick<TokenTransferRow, 'id' | 'offeringId'>,
): Promise<TransferFacts> {
  const found = await tx.row<TransferFacts>(sql`
    select offering.blockchain, offering.status as "offeringStatus", offering.lock_up_until as "lockUpUntil",
           offering.token_enforces_lock_up as "tokenEnforcesLockUp",
           offering.token_deployed_at is null as "isTokenMissing",
           offering.token_unreadable_since is not null as "isTokenUnreadable",
           offering.minting_stopped as "mintingStopped",
           sender.status = 'ACTIVE' as "isSenderActive",
           coalesce(sending.is_registered, false) as "isSenderRegistered",
           receiver.status = 'ACTIVE' as "isReceiverActive",
           coalesce(receiving.is_registered, false) as "isReceiverRegistered",
           account.type as "receiverType",
           case account.type when 'COMPANY' then account.kyb_status else account.kyc_status end as "receiverApproval",
           account.benefiting_person_count::int as "benefitingPersonCount",
           coalesce((select ${accountIneligibility} from cell.eligibility rules
                     where rules.tenant_id = offering.tenant_id and rules.offering_id = offering.id), '{}')
             as ineligibility,
           coalesce(holding.units, 0)::text as balance, coalesce(frozen.units, 0)::text as frozen,
           exists (select from cell.chain_op freezing
                   where freezing.tenant_id = offering.tenant_id and freezing.offering_id = offering.id
                     and freezing.kind = 'FREEZE' and (
                       freezing.state in ('QUEUED', 'RESERVED', 'SIGNED', 'MINED')
                       or freezing.state = 'FINAL' and freezing.mined_block > (
                         select least(finalized_number, offering.token_read_to) from cell.chain_cursor
                         where chain = offering.blockchain
                       )
                     ))
             as "isFreezing",
           op.state as "opState"
    from cell.token_transfer transfer
    join cell.offering on offering.tenant_id = ${tenantId} and offering.id = transfer.offering_id
    join cell.wallet sender on sender.tenant_id = ${tenantId} and sender.id = transfer.sender_wallet_id
    join cell.wallet receiver on receiver.tenant_id = ${tenantId} and receiver.id = transfer.receiver_wallet_id
    join cell.account on account.tenant_id = ${tenantId} and account.id = transfer.receiver_account_id
    left join cell.token_holder sending on sending.tenant_id = ${tenantId}
      and sending.offering_id = transfer.offering_id and sending.wallet_id = transfer.sender_wallet_id
    left join cell.token_holder receiving on receiving.tenant_id = ${tenantId}
      and receiving.offering_id = transfer.offering_id and receiving.wallet_id = transfer.receiver_wallet_id
    left join cell.holding on holding.tenant_id = ${tenantId} and holding.offering_id = transfer.offering_id
      and holding.address = sender.public_address collate "C"
    left join lateral (${frozenUnits({ tenantId, offeringId }, sql`sender.public_address`, null)}) frozen on true
    left join cell.chain_op op on op.tenant_id = ${tenantId} and op.id = transfer.op_id
    where transfer.tenant_id = ${tenantId} and transfer.id = ${id}`)
  if (!found) throw new Error('the transfer does not exist')
  return found
}

import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { findRules } from '../../sales/eligibility/eligibility.sql.ts'
import type { OfferingKey } from '../../sales/offerings/offering.sql.ts'
import { type RegisterDetailsRow, registerDetailsColumn } from '../../sales/offerings/operator/register-details.sql.ts'
import { findSupplyAt } from '../../tokens/register/holder.sql.ts'
import { findLastRegisterChange } from '../../tokens/register/position.sql.ts'
import type { RegisterFacts } from './register-facts.ts'

interface SecurityRow {
  id: string
  name: string
  symbol: string
  blockchain: string
  tokenAddress: string | null
  decimals: number
  lockUpUntil: Date | null
  register: RegisterDetailsRow
}

/** Reads the facts of an extract other than its rows. Returns undefined if the offering does not exist. */
export async function findRegisterFacts(
  tx: Transaction,
  key: OfferingKey,
  block: bigint,
): Promise<RegisterFacts | undefined> {
  const [security, rules, lastChange, supply] = await tx.batch(
    (tx) =>
      tx.row<SecurityRow>(sql`
      select offering.id, offering.name, offering.symbol, offering.blockchain, offering.token_address as "tokenAddress",
             offering.decimals, offering.lock_up_until as "lockUpUntil", ${registerDetailsColumn} as register
      from cell.offering where offering.tenant_id = ${key.tenantId} and offering.id = ${key.offeringId}`),
    (tx) => findRules(tx, key),
    (tx) => findLastRegisterChange(tx, key, block),
    (tx) => findSupplyAt(tx, key, block),
  )
  if (!security) return undefined
  const { extract_format: _format, ...identifiers } = security.register
  return {
    offering: {
      id: security.id,
      name: security.name,
      symbol: security.symbol,
      blockchain: security.blockchain,
      token_address: security.tokenAddress,
      decimals: security.decimals,
      ...identifiers,
    },
    block: Number(lastChange?.number ?? 0),
    blockHash: lastChange?.hash ?? null,
    blockTime: lastChange?.at.toISOString() ?? null,
    totalUnits: supply,
    restrictions: {
      lock_up_until: security.lockUpUntil?.toISOString() ?? null,
      allowed_countries: rules?.allowedCountries ?? null,
      refused_countries: rules?.refusedCountries ?? [],
      account_types: rules?.accountTypes ?? null,
      is_invited_only: rules?.isInvitedOnly ?? false,
    },
  }
}

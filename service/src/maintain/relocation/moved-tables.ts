/**
 * Decides what happens to each table of a cell when a tenant moves to another one. A test compares both lists with the
 * schema, so a new table has to be added to one of them.
 */

/**
 * Tables that are replicated with a filter on the tenant. Its column is the first of every primary key, so the filter
 * needs no other replica identity. Partitioned tables are replicated through their root: days may differ between cells.
 */
export const replicatedTables: readonly string[] = [
  'base.approval',
  'cell.account',
  'cell.account_approval',
  'cell.bank_entry',
  'cell.bank_statement',
  'cell.benefiting_person',
  'cell.chain_op',
  'cell.chain_signer',
  'cell.chain_tx',
  'cell.coupon_schedule',
  'cell.daily_sum',
  'cell.data_key',
  'cell.distribution',
  'cell.distribution_file',
  'cell.distribution_transfer',
  'cell.document',
  'cell.document_acceptance',
  'cell.document_part',
  'cell.eligibility',
  'cell.entitlement',
  'cell.event',
  'cell.event_head',
  'cell.export',
  'cell.export_chunk',
  'cell.gas_day',
  'cell.holding',
  'cell.idempotency',
  'cell.invited_account',
  'cell.kyc_check',
  'cell.kyc_provider',
  'cell.note',
  'cell.offering',
  'cell.offering_name',
  'cell.offering_sum',
  'cell.order_blocker',
  'cell.payment',
  'cell.payment_provider',
  'cell.payment_provider_use',
  'cell.payout',
  'cell.payout_refund',
  'cell.payout_stop',
  'cell.questionnaire',
  'cell.questionnaire_answer',
  'cell.reconciliation',
  'cell.refund',
  'cell.register_extract',
  'cell.request_log',
  'cell.required_document',
  'cell.search_term',
  'cell.signer_status',
  'cell.simulated_wallet',
  'cell.statement_file',
  'cell.tenant',
  'cell.tenant_settings',
  'cell.token_holder',
  'cell.token_log',
  'cell.token_order',
  'cell.token_transaction',
  'cell.token_transfer',
  'cell.unassigned_payment',
  'cell.unrequested_transfer',
  'cell.wallet',
  'cell.wallet_balance',
  'cell.webhook_cursor',
  'cell.webhook_delivery',
  'cell.webhook_endpoint',
]

/**
 * Tables that are replicated too, unless one of the databases is also the directory: there, the directory's entries of
 * the tenant are in the same chain, so the two would collide. A tenant that leaves such a database takes a copy along;
 * when it arrives in one, its entries are appended to that chain.
 */
export const auditTables: readonly string[] = ['base.audit_head', 'base.audit_log']

/** Tables that are not replicated, and why. */
export const stayingTables: Readonly<Record<string, string>> = {
  'base.migration': 'about the database; a move requires that both are equal',
  'base.restoration': 'about the database',
  'cell.chain_block': 'the indexer of each cell reads the chain itself',
  'cell.chain_cursor': 'the indexer of each cell reads the chain itself',
  'cell.chain_status': 'the workers of each cell read the chain themselves',
  'cell.event_outbox':
    'numbered and so emptied before the tenant leaves: its order is that of the cell, and both cells would number it',
  'cell.identity': 'the name of the cell',
  'cell.indexed_token': 'has no tenant; written in the other cell, so that its indexer continues where this one was',
  'cell.migration': 'about the database; a move requires that both are equal',
  'cell.residence': 'says in which cell the tenant is, so it must differ',
}

/** Returns the column that contains the tenant of a row. */
export function ownerColumn(table: string): 'id' | 'tenant_id' {
  return table === 'cell.tenant' ? 'id' : 'tenant_id'
}

/**
 * Returns table and condition for the rows of the tenant's data in the cell. The database may also be the directory,
 * whose approvals stay; createPublication deletes the copies of them that other cells get.
 */
export function rowsOfTenant(table: string): string {
  const condition = `${table} where ${ownerColumn(table)} = $1`
  return table === 'base.approval' ? `${condition} and database = 'cell'` : condition
}

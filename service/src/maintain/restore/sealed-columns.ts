import { providerSecretContext } from '../../access/providers/provider-secret-context.ts'
import { chunkContext } from '../../disclosure/exports/export-chunk.sql.ts'
import { extractContext } from '../../disclosure/register-extracts/register-extract.sql.ts'
import { distributionFileContext, entitlementCreditorContext } from '../../distributions/sealed-transfer.ts'
import { paymentPayerContext } from '../../money/payments/payment-payer.ts'
import { payerContext } from '../../money/payments/unassigned-payment.view.ts'
import { payoutFileContext } from '../../money/payouts/operator/download-payout.ts'
import { creditorContext } from '../../money/payouts/sealed-creditor.ts'
import { entryDetailsContext } from '../../money/statements/statement.view.ts'
import { statementFileContext } from '../../money/statements/statement-file.ts'
import { sealedForResponse } from '../../platform/api/pipeline/idempotency.ts'
import { sealedForProposal, sealedForProposedSecrets } from '../../platform/api/pipeline/propose.ts'
import { sealedForNote } from '../../records/notes/note.view.ts'
import { encryptionContext } from '../../sales/accounts/account.view.ts'
import { documentPartContext } from '../../sales/documents/store-document.ts'
import { answersContext } from '../../sales/eligibility/eligibility.sql.ts'
import { kycDetailsContext } from '../../sales/kyc-providers/kyc-check.view.ts'
import { simulatedWalletContext } from '../../simulations/simulate-wallet.ts'
import { signerKeyContext } from '../../tokens/signers/sealed.ts'
import { sealedForEndpoint } from '../../webhooks/endpoint-secret.ts'
import type { SealedColumn } from '../data-keys/reseal.sql.ts'

/**
 * Every column that the vault seals, with the context of its values. Data in a sealed column that is missing here would
 * be lost when its key is dropped: a test compares this list with the schema.
 */
export const sealedColumns: readonly SealedColumn[] = [
  ...(['bank_account', 'tax_information'] as const).map((column) =>
    byId('cell.account', column, (id) => encryptionContext(id, column)),
  ),
  ...(['secret', 'previous_secret'] as const).flatMap((column): SealedColumn[] => [
    byId('cell.payment_provider', column, (id) => providerSecretContext('payment_provider', id)),
    byId('cell.kyc_provider', column, (id) => providerSecretContext('kyc_provider', id)),
    byId('cell.webhook_endpoint', column, sealedForEndpoint),
  ]),
  byId('cell.unassigned_payment', 'payer', payerContext),
  byId('cell.payment', 'payer', paymentPayerContext),
  byId('cell.bank_entry', 'details', entryDetailsContext),
  {
    table: 'cell.statement_file',
    column: 'content',
    key: ['file_hash', 'chunk'],
    contextOf: ({ file_hash, chunk }) => statementFileContext(file_hash, chunk),
  },
  byId('cell.kyc_check', 'details', kycDetailsContext),
  {
    table: 'cell.questionnaire_answer',
    column: 'answers',
    key: ['offering_id', 'account_id', 'version'],
    contextOf: ({ offering_id, account_id, version }) => answersContext(offering_id, account_id, version),
  },
  byId('cell.register_extract', 'content', extractContext),
  byId('cell.note', 'text', sealedForNote),
  byId('cell.payout', 'file', payoutFileContext),
  {
    table: 'cell.payout_refund',
    column: 'creditor',
    key: ['payout_id', 'refund_id'],
    contextOf: ({ payout_id, refund_id }) => creditorContext({ payoutId: payout_id, refundId: refund_id }),
  },
  byId('cell.distribution_file', 'file', distributionFileContext),
  {
    table: 'cell.distribution_transfer',
    column: 'creditor',
    key: ['file_id', 'entitlement_id'],
    contextOf: ({ file_id, entitlement_id }) =>
      entitlementCreditorContext({ fileId: file_id, entitlementId: entitlement_id }),
  },
  {
    table: 'cell.document_part',
    column: 'content',
    key: ['document_id', 'number'],
    contextOf: ({ document_id, number }) => documentPartContext(document_id, number),
  },
  {
    table: 'cell.chain_signer',
    column: 'key_data',
    key: ['chain'],
    also: ['address'],
    // With another backend, it is the label of a key in a module.
    where: "key_backend = 'sealed'",
    contextOf: ({ chain, address }) => signerKeyContext(chain, address),
  },
  {
    ...byId('base.approval', 'request', sealedForProposal),
    // Approvals of the directory are not sealed, and an installation may keep the directory and a cell in one database.
    // An emptied request is not sealed either.
    where: "database = 'cell' and request <> ''",
  },
  byId('base.approval', 'secrets', sealedForProposedSecrets),
  {
    table: 'cell.idempotency',
    column: 'body',
    key: ['key_hash', 'day'],
    contextOf: ({ key_hash }) => sealedForResponse(key_hash),
  },
  {
    table: 'cell.export_chunk',
    column: 'content',
    key: ['export_id', 'position'],
    also: ['is_last'],
    contextOf: ({ export_id, position, is_last }) => chunkContext(export_id, { position, isLast: is_last }),
  },
  {
    table: 'cell.simulated_wallet',
    column: 'private_key',
    key: ['wallet_id'],
    contextOf: ({ wallet_id }) => simulatedWalletContext(wallet_id),
  },
]

function byId(table: SealedColumn['table'], column: string, contextOf: (id: string) => string): SealedColumn {
  return { table, column, key: ['id'], contextOf: ({ id }) => contextOf(id) }
}

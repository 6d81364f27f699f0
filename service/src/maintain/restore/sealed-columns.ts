import { chunkContext } from '../../disclosure/exports/export-chunk.sql.ts'
import { extractContext } from '../../disclosure/register-extracts/register-extract.sql.ts'
import { distributionFileContext, entitlementCreditorContext } from '../../distributions/sealed-transfer.ts'
import { signingSecretContext } from '../../money/payment-providers/signing-secret-context.ts'
import { paymentPayerContext } from '../../money/payments/payment-payer.ts'
import { payerContext } from '../../money/payments/unassigned-payment.view.ts'
import { payoutFileContext } from '../../money/payouts/operator/download-payout.ts'
import { creditorContext } from '../../money/payouts/sealed-creditor.ts'
import { entryDetailsContext } from '../../money/statements/statement.view.ts'
import { statementFileContext } from '../../money/statements/statement-file.ts'
import { storedResponseContext } from '../../platform/api/pipeline/idempotency.ts'
import { proposedRequestContext, proposedSecretsContext } from '../../platform/api/pipeline/propose.ts'
import { noteContext } from '../../records/notes/note.view.ts'
import { encryptionContext } from '../../sales/accounts/account.view.ts'
import { documentPartContext } from '../../sales/documents/store-document.ts'
import { answersContext } from '../../sales/eligibility/eligibility.sql.ts'
import { kycDetailsContext } from '../../sales/kyc-providers/kyc-check.view.ts'
import { kycSecretContext } from '../../sales/kyc-providers/kyc-secret-context.ts'
import { simulatedWalletContext } from '../../simulations/simulate-wallet.ts'
import { signerKeyContext } from '../../tokens/signers/sealed.ts'
import { secretContext } from '../../webhooks/endpoint-secret.ts'
import type { SealedColumn } from '../data-keys/reseal.sql.ts'

/**
 * Every column that the vault seals, with the context of its values. Data in a sealed column that is missing here would
 * be lost when its key is dropped: a test compares this list with the schema.
 */
export const sealedColumns: readonly SealedColumn[] = [
  ...(['bank_account', 'tax_information'] as const).map(
    (column): SealedColumn => ({
      table: 'cell.account',
      column,
      key: ['id'],
      contextOf: ({ id }) => encryptionContext(id, column),
    }),
  ),
  ...(['secret', 'previous_secret'] as const).flatMap((column): SealedColumn[] => [
    { table: 'cell.payment_provider', column, key: ['id'], contextOf: ({ id }) => signingSecretContext(id) },
    { table: 'cell.kyc_provider', column, key: ['id'], contextOf: ({ id }) => kycSecretContext(id) },
    { table: 'cell.webhook_endpoint', column, key: ['id'], contextOf: ({ id }) => secretContext(id) },
  ]),
  { table: 'cell.unassigned_payment', column: 'payer', key: ['id'], contextOf: ({ id }) => payerContext(id) },
  { table: 'cell.payment', column: 'payer', key: ['id'], contextOf: ({ id }) => paymentPayerContext(id) },
  { table: 'cell.bank_entry', column: 'details', key: ['id'], contextOf: ({ id }) => entryDetailsContext(id) },
  {
    table: 'cell.statement_file',
    column: 'content',
    key: ['file_hash', 'chunk'],
    contextOf: ({ file_hash, chunk }) => statementFileContext(file_hash, chunk),
  },
  { table: 'cell.kyc_check', column: 'details', key: ['id'], contextOf: ({ id }) => kycDetailsContext(id) },
  {
    table: 'cell.questionnaire_answer',
    column: 'answers',
    key: ['offering_id', 'account_id', 'version'],
    contextOf: ({ offering_id, account_id, version }) => answersContext(offering_id, account_id, version),
  },
  {
    table: 'cell.register_extract',
    column: 'content',
    key: ['id'],
    contextOf: ({ id }) => extractContext(id),
  },
  { table: 'cell.note', column: 'text', key: ['id'], contextOf: ({ id }) => noteContext(id) },
  { table: 'cell.payout', column: 'file', key: ['id'], contextOf: ({ id }) => payoutFileContext(id) },
  {
    table: 'cell.payout_refund',
    column: 'creditor',
    key: ['payout_id', 'refund_id'],
    contextOf: ({ payout_id, refund_id }) => creditorContext({ payoutId: payout_id, refundId: refund_id }),
  },
  {
    table: 'cell.distribution_file',
    column: 'file',
    key: ['id'],
    contextOf: ({ id }) => distributionFileContext(id),
  },
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
    table: 'base.approval',
    column: 'request',
    key: ['id'],
    // Approvals of the directory are not sealed, and an installation may keep the directory and a cell in one database.
    // An emptied request is not sealed either.
    where: "database = 'cell' and request <> ''",
    contextOf: ({ id }) => proposedRequestContext(id),
  },
  { table: 'base.approval', column: 'secrets', key: ['id'], contextOf: ({ id }) => proposedSecretsContext(id) },
  {
    table: 'cell.idempotency',
    column: 'body',
    key: ['key_hash', 'day'],
    contextOf: ({ key_hash }) => storedResponseContext(key_hash),
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

import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { SignerStatuses } from '../signer.schema.ts'
import { viewSigner } from '../signer.view.ts'
import { selectSignerStatuses } from '../signer-status.sql.ts'

export const listSigners = operatorOperation(
  {
    id: 'listSigners',
    summary: 'List the signers of the tenant',
    description:
      'The address that signs on each chain, its nonces, its balance and how long that lasts. Workers ask the node ' +
      'every five minutes.',
    tag: 'Settlement',
    method: 'GET',
    path: '/signers',
    duty: 'read',
    idempotency: 'none',
    success: { status: 200, body: SignerStatuses },
    errors: [],
  },
  async (_, { tenantId, tx, now }) => ({ results: (await selectSignerStatuses(tx, tenantId, now)).map(viewSigner) }),
)

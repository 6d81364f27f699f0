import { directoryKeysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { Credential } from '../credential.schema.ts'
import { pageOfCredentials } from '../credential.sql.ts'
import { viewCredential } from '../credential.view.ts'

export const listCredentials = directoryKeysetListOperation(
  {
    id: 'listCredentials',
    summary: 'List credentials',
    description:
      'All credentials of your tenant, including disabled ones. Secrets are not shown: only their hashes are stored.',
    tag: 'Credentials',
    path: '/credentials',
    duty: 'read',
    item: Credential,
    sorts: ['created_at'],
    errors: [],
  },
  async ({ page }, { tenantId, tx }) => {
    const { count, rows } = await pageOfCredentials(tx, tenantId, page)
    return { count, ...pageOf(rows, page, viewCredential) }
  },
)

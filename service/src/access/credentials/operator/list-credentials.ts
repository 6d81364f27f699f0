import { directoryListOperation } from '../../../platform/api/declare/page.ts'
import { Credential } from '../credential.schema.ts'
import { countCredentials, selectCredentials } from '../credential.sql.ts'
import { viewCredential } from '../credential.view.ts'

export const listCredentials = directoryListOperation(
  {
    id: 'listCredentials',
    summary: 'List credentials',
    description:
      'All credentials of your tenant, including disabled ones. Secrets are not shown: only their hashes are stored.',
    tag: 'Credentials',
    path: '/credentials',
    duty: 'read',
    item: Credential,
    errors: [],
  },
  async ({ page }, { tenantId, tx }) => {
    const [count, rows] = await Promise.all([countCredentials(tx, tenantId), selectCredentials(tx, tenantId, page)])
    return { count, results: rows.map(viewCredential) }
  },
)

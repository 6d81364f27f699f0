import { directoryListOperation } from '../../../platform/api/declare/page.ts'
import { Credential } from '../credential.schema.ts'
import { countCredentials, selectCredentials as listRows } from '../credential.sql.ts'
import { viewCredential } from '../credential.view.ts'

export const listCredentials = directoryListOperation(
  {
    id: 'listCredentials',
    summary: 'List credentials',
    description: 'Which integrators may call, and which may no longer. Secrets are stored nowhere and not shown.',
    tag: 'Credentials',
    path: '/credentials',
    role: 'viewer',
    item: Credential,
    errors: [],
  },
  async ({ page }, { tenantId, tx }) => {
    const [count, rows] = await Promise.all([countCredentials(tx, tenantId), listRows(tx, tenantId, page)])
    return { count, results: rows.map(viewCredential) }
  },
)

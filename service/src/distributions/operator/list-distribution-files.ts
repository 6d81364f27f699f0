import { keysetListOperation, pageOf } from '../../platform/api/declare/keyset-list.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { DistributionFile, DistributionPath } from '../distribution.schema.ts'
import { viewDistributionFile } from '../distribution.view.ts'
import { pageOfFiles } from '../distribution-file.sql.ts'
import { requireDistribution } from '../require-distribution.ts'

export const listDistributionFiles = keysetListOperation(
  {
    id: 'listDistributionFiles',
    summary: 'List the files of a distribution',
    description: 'The files for the bank, each with up to 1,000 transfers.',
    tag: 'Distributions',
    path: '/distributions/:distributionId/files',
    duty: 'read',
    params: DistributionPath,
    item: DistributionFile,
    errors: [requestErrors.not_found],
  },
  async ({ params, page }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const [, { count, rows }] = await tx.batch(
      (tx) => requireDistribution(tx, key),
      (tx) => pageOfFiles(tx, key, page),
    )
    return { count, ...pageOf(rows, page, viewDistributionFile) }
  },
)

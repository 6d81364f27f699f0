import { accessOperations } from './access/access-operations.ts'
import { signInOperations } from './access/sign-in/sign-in-operations.ts'
import { exportOperations } from './disclosure/exports/export-operations.ts'
import { personalDataOperations } from './disclosure/personal-data/personal-data-operations.ts'
import { distributionOperations } from './distributions/distribution-operations.ts'
import { moneyOperations } from './money/money-operations.ts'
import { bulkOperation } from './platform/api/declare/bulk.ts'
import type { Operation, OperatorOperation } from './platform/api/declare/operation.ts'
import { recordOperations } from './records/record-operations.ts'
import { salesOperations } from './sales/sales-operations.ts'
import { operatorStreams, overviewOperations } from './sales/summaries/overview-operations.ts'
import { tokenOperations } from './tokens/token-operations.ts'
import { webhookOperations } from './webhooks/webhook-operations.ts'
import { workbenchOperations } from './workbench/workbench-operations.ts'

const singleOperations: readonly OperatorOperation[] = [
  ...salesOperations,
  ...moneyOperations,
  ...tokenOperations,
  ...webhookOperations,
  ...accessOperations,
  ...recordOperations,
  ...overviewOperations,
  ...workbenchOperations,
  ...distributionOperations,
  ...exportOperations,
  ...personalDataOperations,
]

/** All operations of operator users. Each is in the file of the same name in an operator/ folder. */
export const operatorOperations: readonly OperatorOperation[] = [
  ...singleOperations,
  ...singleOperations.flatMap((one) => (one.database === 'cell' && one.header.bulk ? [bulkOperation(one)] : [])),
]

/** Everything that the operator API serves. */
export const operatorApiOperations: readonly Operation[] = [
  ...operatorOperations,
  ...operatorStreams,
  ...signInOperations,
]

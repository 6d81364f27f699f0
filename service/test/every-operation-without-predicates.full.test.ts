import { describe } from 'node:test'
import { testEveryOperation } from './harness/every-operation/every-operation.ts'

describe('every operation, without the tenant predicates in the SQL', () =>
  testEveryOperation({ without: 'predicates' }))

import { describe } from 'node:test'
import { testEveryOperation } from './harness/every-operation/every-operation.ts'

describe('every operation, without row-level security', () => testEveryOperation({ without: 'policies' }))

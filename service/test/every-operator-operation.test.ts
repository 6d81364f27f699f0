import { describe } from 'node:test'
import { testEveryOperatorOperation } from './harness/every-operation/every-operator-operation.ts'

describe('every operator operation', () => testEveryOperatorOperation())

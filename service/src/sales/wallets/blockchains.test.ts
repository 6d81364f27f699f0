import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startNode } from '../../../test/harness/installation/process.ts'
import { chainList } from '../../platform/base/setting-parsers.ts'
import type { Environment } from '../../platform/base/settings-reader.ts'
import { chainIdProblems } from './blockchains.ts'

describe('the chain ids of CHAINS', () => {
  const problems = (chains: string, environment: Environment = 'live') =>
    chainIdProblems({ chains: chainList(chains), environment })

  test('follow from the name of the chain, or are given with it', () => {
    assert.deepEqual(problems('ethereum=http://a ethereum-2:5=http://b base:8453=http://c'), [])
    assert.deepEqual(problems('mars=http://a'), [
      'CHAINS is invalid: the chain id of mars is not known; write it as mars:<chain id>=http://….',
    ])
  })

  test('cannot contradict the name, except in development', () => {
    assert.deepEqual(problems('ethereum:5=http://a'), ['CHAINS is invalid: ethereum has chain id 1, not 5.'])
    assert.deepEqual(problems('ethereum:31337=http://a', 'development'), [])
  })

  test('are checked when a process starts', async () => {
    const process = startNode(['./src/main/worker.ts'], { DATABASE_URL: 'postgres://a/b', CHAINS: 'mars=http://a' })
    assert.equal(await process.ended, 1)
    assert.match(process.output.join(), /^CHAINS is invalid: the chain id of mars is not known/)
  })
})

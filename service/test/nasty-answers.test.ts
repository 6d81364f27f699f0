import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { answersContext } from '../src/sales/eligibility/eligibility.sql.ts'
import { DirectOperations } from './harness/callers/operations.ts'
import { requireDocumentAndAnswers } from './harness/data/eligibility.ts'
import { TestTenant } from './harness/data/tenant.ts'
import { nastyTexts } from './harness/fuzz/nasty-text.ts'
import type { ApiResponse } from './harness/installation/api-client.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'

// Operations that accept little: their valid bodies depend on the offering, so nasty-values.test.ts cannot make them.
describe('nasty values in the answers and acceptances of investors', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  const api = await installation.startApi()
  const tenant = await TestTenant.create(installation, api)
  const offeringId = await tenant.fixtures.offering(tenant.id)
  const accountId = await tenant.account()
  const questionnaire = {
    schema: { type: 'object', properties: { why: { type: 'string', title: 'Why?' } } },
    outcomes: [],
  }
  const rules = await requireDocumentAndAnswers(installation, { tenantId: tenant.id, offeringId }, { questionnaire })

  const post = (path: string, body: unknown): Promise<ApiResponse> =>
    tenant.post(`/accounts/${accountId}/eligibility/${offeringId}${path}`, body)
  const answer = (answers: unknown) => post('/questionnaire', { version: rules.version, answers })

  /** Returns the stored answer, which no operation of integrators returns. */
  async function storedAnswer(): Promise<unknown> {
    const rows = await installation.rows('select answers from cell.questionnaire_answer where account_id = $1', [
      accountId,
    ])
    const direct = new DirectOperations(installation, tenant.id)
    const context = answersContext(offeringId, accountId, rules.version)
    return JSON.parse(await direct.write((tx) => direct.vaultOf(tx).open(rows[0].answers, context))).why
  }

  test('R014: answerQuestionnaire rejects a text or stores it unchanged', async () => {
    let accepted = 0
    for (const text of nastyTexts) {
      const response = await answer({ why: text })
      const what = `${JSON.stringify(text.slice(0, 60))}: ${response.text.slice(0, 300)}`
      assert.equal(response.status === 200, isAcceptable(text), what)
      if (response.status !== 200) assert.equal(response.status, 400, what)
      else {
        accepted += 1
        assert.equal(await storedAnswer(), text, what)
      }
    }
    assert.ok(accepted > 10, `${accepted} nasty answers were accepted`)
  })

  test('R014: answerQuestionnaire rejects answers to unknown questions', async () => {
    for (const name of nastyTexts) {
      const answers = JSON.parse(`{"why":"x",${JSON.stringify(name)}:"x"}`)
      assert.equal((await answer(answers)).status, 400, JSON.stringify(name.slice(0, 60)))
    }
    for (const answers of [[], 'x', null, { why: { why: 'x' } }, { why: ['x'] }, { why: null }, {}])
      assert.equal((await answer(answers)).status, 400, JSON.stringify(answers))
  })

  test('R014: acceptDocument accepts only the hash of the document', async () => {
    const path = `/documents/${rules.documentId}/accept`
    const { sha256 } = rules
    const near = [sha256.toUpperCase(), ` ${sha256}`, `${sha256}\n`, `${sha256}\u200b`, sha256.slice(1), `0x${sha256}`]
    for (const text of [...nastyTexts, ...near]) {
      const response = await post(path, { sha256: text })
      assert.equal(response.status, 400, `${JSON.stringify(text.slice(0, 60))}: ${response.text.slice(0, 300)}`)
    }
    assert.equal((await post(path, { sha256: 'f'.repeat(64) })).status, 409)
    assert.equal((await post(path, { sha256 })).status, 200)
  })
})

/** Returns true for a text that an answer may contain. Without a limit of its own, that is 2,000 characters. */
function isAcceptable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000') && [...text].length <= 2_000
}

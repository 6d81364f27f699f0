import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { OperatorClient } from '../../../../test/harness/callers/operator-client.ts'
import { confirmAs } from '../../../../test/harness/callers/second-person.ts'
import { newOffering } from '../../../../test/harness/data/bodies.ts'
import { openRules } from '../../../../test/harness/data/eligibility.ts'
import { assertError } from '../../../../test/harness/installation/api-client.ts'
import { sharedInstallation } from '../../../../test/harness/installation/shared-installation.ts'

const account = newOffering.collection_account

describe('the opening of an offering', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const api = await installation.startOperatorApi()
  const tenantId = await installation.createTenant('A', { policies: 'default' })
  const clerk = await OperatorClient.create(installation, api, tenantId, 'all duties')
  const second = await installation.createOperator(tenantId)

  const draft = async (): Promise<string> => {
    const response = await clerk.post('/offerings', newOffering)
    assert.equal(response.status, 201, response.text)
    return response.body.id
  }
  const uploadDocument = (id: string) =>
    clerk.upload(`/offerings/${id}/documents?kind=prospectus`, Buffer.from('%PDF-1.7 prospectus'), 'application/pdf')

  test('a stored collection account with wrong check digits does not open', async () => {
    const id = await draft()
    const wrong = JSON.stringify({ ...account, iban: 'DE89370400440532013001' })
    await installation.rows('update cell.offering set collection_account = $2 where id = $1', [id, wrong])
    const response = await clerk.post(`/offerings/${id}/open`)
    assertError(response, 409, 'offering_incomplete')
    assert.match(response.body.error.message, /collection_account\.iban must be an IBAN/)
    // Other terms of the draft can change, and the account can be corrected.
    assert.equal((await clerk.patch(`/offerings/${id}`, { symbol: 'NEW' })).status, 200)
    assert.equal((await clerk.patch(`/offerings/${id}`, { collection_account: account })).status, 200)
    assert.equal((await clerk.post(`/offerings/${id}/open`)).status, 202)
  })

  test('setting register details takes one person for a draft, and two later, who both saw the same details', async () => {
    const id = await draft()
    const details = (change: object) =>
      clerk.post(`/offerings/${id}/register-details`, {
        isin: null,
        issuer_name: 'Harbour Issuer GmbH',
        issuer_lei: null,
        nominal_amount: '1000',
        nominal_currency: 'EUR',
        extract_format: null,
        ...change,
      })
    const issuer = async () => (await clerk.get(`/offerings/${id}`)).body.register.issuer_name
    assert.equal((await details({})).status, 200)
    assert.equal((await confirmAs(api, second, await clerk.post(`/offerings/${id}/open`))).status, 200)
    const [one, other] = [await details({ issuer_name: 'One GmbH' }), await details({ issuer_name: 'Other GmbH' })]
    assert.equal(await issuer(), 'Harbour Issuer GmbH')
    // Neither orders nor a pause change the details that the second person has seen.
    assert.equal((await clerk.post(`/offerings/${id}/pause`, { reason: 'test' })).status, 200)
    assert.equal((await confirmAs(api, second, one)).status, 200)
    assertError(await confirmAs(api, second, other), 409, 'subject_changed')
    assert.equal(await issuer(), 'One GmbH')
  })

  const changes: Readonly<Record<string, (id: string) => Promise<{ status: number }>>> = {
    terms: (id) => clerk.patch(`/offerings/${id}`, { price_per_token: '1' }),
    'collection account': (id) =>
      clerk.patch(`/offerings/${id}`, { collection_account: { ...account, iban: 'DE02120300000000202051' } }),
    'eligibility rules': (id) => clerk.post(`/offerings/${id}/eligibility`, openRules),
    documents: (id) => uploadDocument(id),
  }
  for (const [what, change] of Object.entries(changes))
    test(`is not confirmed if its ${what} changed since it was proposed, and the second person learns so`, async () => {
      const id = await draft()
      await clerk.post(`/offerings/${id}/eligibility`, { ...openRules, allowed_countries: ['DE'] })
      const proposal = await clerk.post(`/offerings/${id}/open`)
      const { status } = await change(id)
      assert.ok(status === 200 || status === 201, String(status))
      const response = await confirmAs(api, second, proposal)
      assertError(response, 409, 'subject_changed')
      assert.equal(
        response.body.error.message,
        `The offering has changed since this was proposed: ${what}. Look at it and propose again.`,
      )
      assert.equal((await clerk.get(`/offerings/${id}`)).body.status, 'DRAFT')
      assert.equal((await confirmAs(api, second, await clerk.post(`/offerings/${id}/open`))).status, 200)
      assert.equal((await clerk.get(`/offerings/${id}`)).body.status, 'OPEN')
    })
})

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { OperatorClient } from '../../../test/harness/callers/operator-client.ts'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { Mailbox } from '../../../test/harness/servers/mailbox.ts'
import { until } from '../../../test/harness/wait.ts'
import { approvalRisks } from '../../sales/accounts/approval-risks.ts'

describe('proposals that wait', async () => {
  const mailbox = await Mailbox.open()
  const installation = await TestInstallation.create({ SMTP_URL: mailbox.url })
  const [api, operatorApi] = await Promise.all([installation.startApi(), installation.startOperatorApi()])
  after(() => installation.end())
  after(() => mailbox.close())

  /** Creates a tenant where leaving REJECTED needs a second person, and a clerk who proposes it for one account. */
  async function proposals() {
    const tenant = await TestTenant.create(installation, api)
    const accountId = await tenant.account()
    const boss = await OperatorClient.create(installation, operatorApi, tenant.id, 'all duties')
    await boss.post(`/accounts/${accountId}/decision`, { kyc: 'REJECTED', reason: 'x' })
    await installation.useDefaultPolicies(tenant.id)
    const clerk = () => OperatorClient.create(installation, operatorApi, tenant.id)
    const body = (reason: string) => ({ kyc: 'APPROVED', reason, acknowledged: approvalRisks })
    const propose = (by: OperatorClient, reason = 'checked') => by.post(`/accounts/${accountId}/decision`, body(reason))
    const proposeMany = (by: OperatorClient, count: number) =>
      by.post('/bulk/decideAccount', {
        items: Array.from({ length: count }, (_, i) => ({ account_id: accountId, body: body(`checked ${i}`) })),
      })
    return { tenant, boss, clerk, propose, proposeMany }
  }

  /** Inserts copies of a proposal, proposed by this user. */
  const copy = (approvalId: string, count: number, proposedBy: string) =>
    installation.rows(
      `insert into base.approval (tenant_id, id, database, operation, duty, confirm_duty, offering_id, subject_type,
                                  subject_id, request, subject_version, proposed_by, proposed_at, expires_at)
       select tenant_id, gen_random_uuid(), database, operation, duty, confirm_duty, offering_id, subject_type,
              subject_id, request, subject_version, $3, proposed_at, expires_at
       from base.approval, generate_series(1, $2) where id = $1`,
      [approvalId, count, proposedBy],
    )

  test('are at most 200 per user and 1,000 per tenant; withdrawing one makes room', async () => {
    const { propose, clerk } = await proposals()
    const [ann, ben] = [await clerk(), await clerk()]
    const { approval_id: approvalId } = (await propose(ann)).body
    await copy(approvalId, 199, ann.who.userId)
    const rejected = await propose(ann)
    assertError(rejected, 409, 'too_many_proposals')
    assert.match(rejected.body.error.message, /^200 of your proposals wait .* withdraw some\.$/)
    assert.equal((await propose(ben)).status, 202)
    const withdrawn = await operatorApi.call('POST', `/approvals/${approvalId}/withdraw`, { cookie: ann.who.cookie })
    assert.equal(withdrawn.status, 200, withdrawn.text)
    const second = (await propose(ann)).body.approval_id
    assertError(await propose(ann), 409, 'too_many_proposals')
    await copy(second, 799, crypto.randomUUID())
    const full = await propose(ben)
    assertError(full, 409, 'too_many_proposals')
    assert.match(full.body.error.message, /^1000 proposals of your tenant wait/)
  })

  test('each item of a bulk request counts against the rate limit, as a single request would', async () => {
    const { proposeMany, clerk } = await proposals()
    const ann = await clerk()
    const remaining = async () => Number(/r=(\d+)/.exec((await ann.get('/me')).headers.get('ratelimit') ?? '')?.[1])
    const before_ = await remaining()
    assert.equal((await proposeMany(ann, 10)).status, 200)
    assert.equal(before_ - (await remaining()), 11)
  })

  test('are mailed at once if nothing waits, and otherwise together with the others in one mail', async () => {
    const { tenant, boss, propose, proposeMany, clerk } = await proposals()
    const [ann, ben] = [await clerk(), await clerk()]
    const addressOf = async ({ who }: OperatorClient) => {
      const text = 'select email from directory.operator_user where id = $1'
      return (await installation.rows(text, [who.userId]))[0].email
    }
    const address = await addressOf(boss)
    const mails = () => mailbox.mails.filter(({ to }) => to?.[0]?.address === address)
    const jobs = (name: string) =>
      installation.rows(
        `select jobs.id, jobs.run_at - now() as wait, extract(epoch from jobs.run_at - now()) / 60 as minutes
         from graphile_worker._private_jobs jobs
         join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
         where tasks.identifier = $1 and jobs.payload ->> 'tenant_id' = $2`,
        [name, tenant.id],
      )
    const first = (await propose(ann)).body.approval_id
    await proposeMany(ann, 30)
    const last = (await propose(ben, 'the one that matters')).body.approval_id
    assert.equal((await jobs('mail-approval')).length, 1)
    // Two jobs if a period of ten minutes has just ended.
    const together = await jobs('mail-pending-approvals')
    assert.ok(together.length === 1 || together.length === 2, `${together.length}`)
    for (const { minutes } of together) assert.ok(minutes > 9 && minutes <= 20, `in ${minutes} minutes`)

    await installation.startWorker()
    await until('the first mail has arrived', () => mails().length === 1)
    assert.ok(mails()[0]?.text?.includes(`/console/approvals/cell/${first}`))
    await installation.rows('update graphile_worker._private_jobs set run_at = now() where id = any ($1)', [
      together.map(({ id }) => id),
    ])
    await until('the other mail has arrived', () => mails().length === 1 + together.length)
    const { subject, text = '' } = mails().at(-1) ?? {}
    assert.equal(subject, '32 changes wait for your confirmation')
    assert.ok(text.includes(`/console/approvals/cell/${last}`), text)
    assert.ok(text.includes(`/console/approvals/cell/${first}`), 'the oldest one')
    assert.match(text, /: 31\n[\s\S]*and 28 more[\s\S]*: 1\n/)
    assert.equal((text.match(/decideAccount/g) ?? []).length, 4)
    // A proposer's mail does not list their own proposals.
    const addressOfAnn = await addressOf(ann)
    const toAnn = () => mailbox.mails.filter(({ to }) => to?.[0]?.address === addressOfAnn)
    await until('the proposer has a mail too', () => toAnn().length > 0)
    assert.deepEqual([...new Set(toAnn().map((mail) => mail.subject))], ['A change waits for your confirmation'])
    assert.ok(!toAnn().some((mail) => mail.text?.includes(first)))
  })
})

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import type { TestOperator } from '../../../test/harness/installation/test-users.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { OperatorLookup } from './operator-lookup.ts'

describe('operator lookup', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const { databases, config } = installation
  const lookup = new OperatorLookup({ databases, secretPeppers: config.secretPeppers, clock: systemClock })

  const newOperator = async () =>
    installation.createOperator(await installation.createTenant('T'), { duties: ['read', 'money'] })
  /** Looks the operator up by session and by token. */
  const found = async ({ cookie, token }: TestOperator) => {
    const both = [await lookup.bySession(cookie), await lookup.byToken(token)]
    return both.map((operator) => {
      assert.ok(operator)
      const { duties, policies, tenantRequestsPerMinute, identityId, isRevoked } = operator
      return {
        duties: duties.map(({ duty }) => duty).toSorted(),
        policies,
        tenantRequestsPerMinute,
        identityId,
        isRevoked,
      }
    })
  }

  const changes: Record<string, [statement: string, expected: object]> = {
    'a granted duty': [
      `insert into directory.operator_duty (tenant_id, user_id, duty) values ($1, $2, 'token')`,
      { duties: ['money', 'read', 'token'] },
    ],
    'a withdrawn duty': [
      `delete from directory.operator_duty where tenant_id = $1 and user_id = $2 and duty = 'money'`,
      { duties: ['read'] },
    ],
    'a policy': [
      `with other as (select $2::uuid)
       insert into directory.approval_policy (tenant_id, policy, from_minor) values ($1, 'manual_payment', 500)
       on conflict (tenant_id, policy) do update set from_minor = 500`,
      { policies: { manual_payment: 500n } },
    ],
    'the removal of the user': [
      'update directory.operator_user set removed_at = now() where tenant_id = $1 and id = $2',
      { isRevoked: true },
    ],
    'the end of the tenant': [
      'with other as (select $2::uuid) update directory.tenant set disabled_at = now() where id = $1',
      { isRevoked: true },
    ],
    'a limit of the tenant': [
      'with other as (select $2::uuid) update directory.tenant set requests_per_minute_max = 77 where id = $1',
      { tenantRequestsPerMinute: 77 },
    ],
  }
  for (const [name, [statement, expected]] of Object.entries(changes))
    test(`${name} takes effect with the next request, though the process has cached the user`, async () => {
      const operator = await newOperator()
      const earlier = await found(operator)
      await installation.rows(statement, [operator.tenantId, operator.userId])
      const changed = earlier.map((known) => ({
        ...known,
        ...expected,
        policies: { ...known.policies, ...('policies' in expected ? (expected.policies as object) : {}) },
      }))
      assert.deepEqual(await found(operator), changed)
      assert.notDeepEqual(changed, earlier)
    })

  test('the user is read again only after a change, and not after one in another tenant', async () => {
    const operator = await newOperator()
    const first = await lookup.bySession(operator.cookie)
    await newOperator()
    const second = await lookup.bySession(operator.cookie)
    assert.ok(first && second)
    assert.equal(second.duties, first.duties)
  })

  test('a revoked session and an unknown one do not benefit from the cache', async () => {
    const operator = await newOperator()
    assert.equal((await lookup.bySession(operator.cookie))?.isRevoked, false)
    await installation.rows('update directory.operator_session set revoked_at = now() where id = $1', [
      operator.sessionId,
    ])
    assert.equal((await lookup.bySession(operator.cookie))?.isRevoked, true)
    const forged = operator.cookie.slice(0, -2) + (operator.cookie.endsWith('AA') ? 'BA' : 'AA')
    assert.equal(await lookup.bySession(forged), undefined)
  })
})

import { confirmAs } from '../callers/second-person.ts'
import { individual } from '../data/bodies.ts'
import { until } from '../wait.ts'
import type { Attack } from './attack.ts'

const formula = `=cmd|'/C calc'!A0`

export const semicolonFormulas: Attack = {
  name: 'an investor whose name has a formula behind a semicolon waits for an export of orders',
  isShort: true,
  run: async (stack) => {
    const { installation } = stack
    await stack.worker()
    const [tenant, api] = [await stack.tenant(), await stack.operatorApi()]
    const clerk = await stack.admin(tenant)
    const named = { ...individual.individual, firstName: `Max;${formula};x`, lastName: 'Muster' }
    const accountId = await tenant.account({ ...individual, individual: named })
    await tenant.order(await tenant.fixtures.offering(tenant.id), accountId)
    const body = { kind: 'orders', with_personal_data: true }
    const requested = await api.call('POST', '/exports', { cookie: clerk.who.cookie, body })
    const second = await installation.createOperator(tenant.id)
    const created = requested.status === 202 ? (await confirmAs(api, second, requested)).body.result : requested.body
    await until(
      'the export is done',
      async () => (await clerk.get(`/exports/${created.id}`)).body.state === 'done',
      60_000,
    )
    const response = await fetch(`${api.baseUrl}/operator/exports/${created.id}/download`, {
      method: 'POST',
      headers: {
        cookie: `__Host-session=${clerk.who.cookie}`,
        origin: new URL(api.baseUrl).origin,
        'x-console': '1',
        'sec-fetch-site': 'same-origin',
      },
    })
    const text = await response.text()
    const [cell = ''] = text.split(';').filter((part) => part.includes('=cmd'))
    if (cell === '') throw new Error(`the export does not contain the name: ${response.status}`)
    return { isDefended: !cell.startsWith('='), observed: `a spreadsheet that splits at semicolons sees ${cell}` }
  },
}

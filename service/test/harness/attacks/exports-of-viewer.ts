import { OperatorClient } from '../callers/operator-client.ts'
import type { Attack } from './attack.ts'

const exports = 10

export const exportsOfViewer: Attack = {
  name: `a viewer requests ${exports} exports`,
  isShort: true,
  run: async (stack) => {
    const tenant = await stack.tenant()
    const viewer = await OperatorClient.create(stack.installation, await stack.operatorApi(), tenant.id, 'viewer')
    const admin = await stack.admin(tenant)
    let created = 0
    for (let count = 0; count < exports; count += 1)
      if ((await viewer.post('/exports', { kind: 'orders' })).status === 201) created += 1
    const { status } = await admin.post('/exports', { kind: 'audit' })
    return { isDefended: status === 201, observed: `${created} were accepted; that of a colleague got ${status}` }
  },
}

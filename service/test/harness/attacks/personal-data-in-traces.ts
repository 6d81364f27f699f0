import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Attack } from './attack.ts'
import { jsonWith, send } from './attack-stack.ts'

const email = 'ada.lovelace@example.com'

export const personalDataInTraces: Attack = {
  name: 'a trace collector reads names and ids from URLs',
  isShort: true,
  run: async (stack) => {
    const received: Buffer[] = []
    const collector = createServer((request, response) => {
      void buffer(request).then((body) => {
        received.push(body)
        response.end()
      })
    }).listen(0, '127.0.0.1')
    await once(collector, 'listening')
    const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
    try {
      const tenant = await stack.tenant()
      const accountId = await tenant.account()
      const { token } = await stack.installation.createOperator(tenant.id)
      const api = await stack.installation.startOperatorApiProcess({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
      const headers = jsonWith(token)
      const accounts = `${api.baseUrl}/operator/accounts`
      await send(`${accounts}?q=${encodeURIComponent(email)}`, { headers })
      await send(`${accounts}/search`, { method: 'POST', headers, body: JSON.stringify({ q: email }) })
      await send(`${accounts}/${accountId}`, { headers })
      // Stopping sends all traces.
      await api.process.stop()
      const traces = Buffer.concat(received).toString('latin1')
      if (traces === '') throw new Error('the collector received nothing')
      const leaked = [email, encodeURIComponent(email), accountId].filter((text) => traces.includes(text))
      const observed = leaked.length > 0 ? `it received ${leaked.join(', ')}` : `${traces.length} bytes without them`
      return { isDefended: leaked.length === 0, observed }
    } finally {
      collector.close()
    }
  },
}

import assert from 'node:assert/strict'
import { confirmAs } from '../callers/second-person.ts'
import type { ApiResponse } from '../installation/api-client.ts'
import type { RunningInstallation } from '../installation/running-installation.ts'
import { setThreshold } from '../installation/test-tenants.ts'
import { until } from '../wait.ts'
import { createPaymentDesk } from './payment-desk.ts'

/** Creates a tenant whose statements wait for booking, a clerk, a second person, and an order that waits for payment. */
export async function createBookingWorld(running: RunningInstallation) {
  const { installation, operatorApi } = running
  const { tenant, operator: clerk, ...desk } = await createPaymentDesk(running)
  const second = await installation.createOperator(tenant.id, { role: 'admin' })
  const order = await desk.order()
  await installation.useDefaultPolicies(tenant.id)
  /** Sends a file. Returns the body of the response. */
  const send = async (xml: string, { token }: { token: string } = clerk.who) => {
    const headers = { 'content-type': 'application/xml' }
    const response = await operatorApi.call('POST', '/statements', { token, body: xml, headers })
    assert.equal(response.status, 201, response.text)
    return response.body
  }
  /** Sends a file. Returns its first statement. */
  const upload = async (xml: string, sender?: { token: string }) => (await send(xml, sender)).statements[0]
  const book = (statementId: string): Promise<ApiResponse> => clerk.post(`/statements/${statementId}/book`)
  const bookTogether = async (statementId: string) => {
    const confirmed = await confirmAs(operatorApi, second, await book(statementId))
    assert.equal(confirmed.status, 200, confirmed.text)
    return confirmed.body.result
  }
  const read = async (statementId: string) => (await clerk.get(`/statements/${statementId}`)).body
  const orderStatus = async (): Promise<string> => (await desk.readOrder(order.id)).status
  const isPaid = () => until('the order is paid', async () => (await orderStatus()) === 'PAID')
  const bookFrom = (fromMinor: number | null) => setThreshold(installation, tenant.id, 'statement_booking', fromMinor)
  /** Returns an entry that pays the order. */
  const payment = (change: object = {}) => ({
    amount: '125.00',
    creditorReference: order.reference,
    bankReference: 'B1',
    ...change,
  })
  const people = { tenant, clerk, second }
  return { ...people, send, upload, book, bookTogether, read, orderStatus, isPaid, bookFrom, payment }
}

import assert from 'node:assert/strict'
import type { Role } from '../../../src/platform/api/declare/duties.ts'
import { createTenantAndOperator } from '../data/tenant-and-operator.ts'
import type { RunningInstallation } from '../installation/running-installation.ts'
import { type ReportedPayment, reportPayment } from './incoming-payment.ts'

/** Creates a tenant with an offering, an account, and an operator who handles payments. An order costs 125.00 EUR. */
export async function createPaymentDesk(running: RunningInstallation, role?: Role | 'all duties') {
  const { installation, tenant, operator } = await createTenantAndOperator(running, role)
  const offeringId = await tenant.fixtures.offering(tenant.id)
  const accountId = await tenant.account()
  const readOrder = async (orderId: string) => (await operator.get(`/orders/${orderId}`)).body
  const referenceOf = async (orderId: string) => String((await readOrder(orderId)).payment_reference)
  const order = async (account = accountId, offering = offeringId) => {
    const id = await tenant.order(offering, account)
    return { id, reference: await referenceOf(id) }
  }
  const orderState = async (orderId: string): Promise<[status: string, paid: number]> => {
    const { status, paid_amount: paid } = await readOrder(orderId)
    return [status, paid]
  }
  const paymentsOf = async (orderId: string) =>
    (await operator.get(`/orders/${orderId}/payments?direction=asc`)).body.results
  const refundsOf = async (orderId: string) =>
    (await operator.get(`/refunds?order_id=${orderId}&direction=asc`)).body.results
  /** Records a payment by hand. */
  const record = (orderId: string, amount: string, change: object = {}) =>
    operator.post(`/orders/${orderId}/payments`, newPayment(amount, change))
  /** Reports a payment as a bank or a provider does. */
  const report = (change: ReportedPayment = {}) => reportPayment(installation, tenant.id, change)
  const reportUnassigned = async (change: ReportedPayment = {}): Promise<string> => {
    const booked = await report(change)
    assert.ok(booked.kind === 'unassigned')
    return booked.id
  }
  const reads = { readOrder, referenceOf, orderState, paymentsOf, refundsOf }
  return { tenant, operator, offeringId, accountId, order, record, report, reportUnassigned, ...reads }
}

/** A valid payment to record by hand. */
export const newPayment = (amount: string, change: object = {}) => ({
  amount,
  currency: 'EUR',
  reference: crypto.randomUUID(),
  received_at: '2026-07-02T10:00:00.000Z',
  ...change,
})

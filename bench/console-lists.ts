import { encodeCursor } from '../service/src/platform/api/declare/cursor.ts'
import type { TestInstallation } from '../service/test/harness/installation/test-installation.ts'
import type { Measurement } from './console-measurement.ts'
import type { ConsoleBook } from './console-rows.ts'

const limit = 50

/** Measures first and deep pages of the long lists. A deep page starts where a tenth, or half, of the rows are left. */
export async function listMeasurements(installation: TestInstallation, book: ConsoleBook): Promise<Measurement[]> {
  const { tenantId, offeringId, orders } = book
  const { rows } = await installation.owner((owner) =>
    owner.query<{ id: string; accountId: string; total: string; due: string }>(
      `select id, account_id as "accountId", total_minor as total, payment_due_at::text as due from cell.token_order
       where tenant_id = $1 and offering_id = $2 and offering_position = any ($3)
       order by offering_position`,
      [tenantId, offeringId, [Math.floor(orders / 10), Math.floor(orders / 2)]],
    ),
  )
  const [old, middle] = rows
  if (!old || !middle) throw new Error('the orders were not loaded')
  const orderPages = (query: string, sort: string, key: string | null, id: string): Measurement[] =>
    pages(`/orders${query && `?${query}`}`, encodeCursor({ sort, direction: 'desc' }, { key, id }))
  // The newest tenth of the orders have a blocker, and so have orders that were not paid in time.
  const blocked = await rowInto(installation, book, 'cell.order_blocker', "code = 'wallet_missing'", 'order_id')
  return [
    ...orderPages('', 'created_at', null, old.id),
    ...orderPages('status=MINTED', 'created_at', null, old.id),
    ...orderPages('status=MINTED,NOPAYMENT', 'created_at', null, old.id),
    ...orderPages('blocker=wallet_missing', 'created_at', null, blocked),
    ...orderPages('sort=total_amount', 'total_amount', middle.total, middle.id),
    ...orderPages('sort=payment_due_at', 'payment_due_at', old.due, old.id),
    ...orderPages(`offering_id=${offeringId}`, 'created_at', null, old.id),
    { kind: 'list', name: '/orders of an account', path: `/orders?account_id=${old.accountId}` },
    ...(await idPages(installation, book)),
  ]
}

/** Measures lists in the order of their ids. */
async function idPages(installation: TestInstallation, book: ConsoleBook): Promise<Measurement[]> {
  const cursor = async (table: string, condition = 'true') =>
    encodeCursor(
      { sort: 'id', direction: 'desc' },
      { key: null, id: await rowInto(installation, book, table, condition) },
    )
  const half = Math.floor(book.orders / 40)
  return [
    ...pages('/accounts/search', await cursor('cell.account'), {}),
    ...pages('/accounts/search', await cursor('cell.account', "kyc_status = 'PENDING'"), { kyc_status: ['PENDING'] }),
    ...pages('/unassigned-payments', await cursor('cell.unassigned_payment')),
    ...pages('/unassigned-payments?status=open', await cursor('cell.unassigned_payment', "status = 'open'")),
    ...pages('/refunds', await cursor('cell.refund')),
    ...pages('/refunds?status=due', await cursor('cell.refund', "status = 'due'")),
    ...pages('/events', eventCursor(half)),
    ...pages('/events?type=order.paid', eventCursor(half)),
  ]
}

/** Returns the cursor of an event, whose id is a number. */
function eventCursor(sequence: number): string {
  return encodeCursor({ sort: 'id', direction: 'desc' }, { key: null, id: String(sequence) })
}

function pages(path: string, cursor: string, body?: object): Measurement[] {
  const of = body && Object.keys(body).length > 0 ? ` ${JSON.stringify(body)}` : ''
  const limited = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`
  const name = `${path}${of}`.replaceAll(/[0-9a-f-]{36}/g, '…')
  return [
    { kind: 'list', name, depth: 'first', path: limited, body },
    { kind: 'list', name, depth: 'deep', path: `${limited}&cursor=${cursor}`, body },
  ]
}

/** Returns the id below which a tenth of the rows lie. */
async function rowInto(
  installation: TestInstallation,
  { tenantId }: ConsoleBook,
  table: string,
  condition: string,
  id = 'id',
): Promise<string> {
  const { rows } = await installation.owner((owner) =>
    owner.query<{ id: string }>(
      `select ${id} as id from ${table} where tenant_id = $1 and ${condition} order by ${id}
       limit 1 offset (select count(*) / 10 from ${table} where tenant_id = $1 and ${condition})`,
      [tenantId],
    ),
  )
  return rows[0]?.id ?? ''
}
